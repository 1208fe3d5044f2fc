import { z } from "@hono/zod-openapi";
import { idParam, integerQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { DataSourceExpiry } from "./schemas.ts";
import { expiryOf } from "./service.ts";

/** Maximum number of entities that an answer names, as `npm run stale -- dry-run` does. */
const maxNamed = 1_000;

const expirySpec = operation({
  id: "getDataSourceExpiry",
  method: "get",
  path: "/api/datasources/{data_source_id}/expiry",
  document: "platform",
  tag: "dataSource",
  summary:
    "Assets of a data source that would expire now, the policy, and whether the fuse blocks it",
  // It counts all entities of the source, and approving takes the command line.
  access: { permission: "OPERATIONS_VIEW", on: "MANAGEMENT" },
  params: z.object({ data_source_id: idParam("data_source_id") }),
  query: z.object({ limit: integerQuery("limit", { min: 1, max: maxNamed, default: 100 }) }),
  responses: { 200: { description: "As a sweep would find it", schema: DataSourceExpiry } },
  errors: [404],
});

/** The operation that lists what a data source would lose. */
export function expiryRoutes(context: Pick<Context, "db" | "config" | "clock">): Route[] {
  return [
    serve(
      expirySpec,
      async ({ params, query }) => ok(await expiryOf(context, params.data_source_id, query.limit)),
    ),
  ];
}
