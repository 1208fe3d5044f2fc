import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/http/operation.ts";
import { lineageRoutes } from "#services/api/features/lineage/routes.ts";

/** Every family of operations; one line makes a family part of the service and of its document. */
const families: ((context: Context) => Route[])[] = [
  lineageRoutes,
];

/** The routes of all families. */
export function featureRoutes(context: Context): Route[] {
  return families.flatMap((routes) => routes(context));
}
