import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import {
  Demonstration,
  DemonstrationLoader,
} from "#services/api/features/demonstration/service.ts";

const common = { tag: "demonstration", path: "/api/demonstration" };

const statusSpec = operation({
  ...common,
  id: "getDemonstration",
  method: "get",
  summary: "Whether the demonstration can be loaded, and how far that is",
  access: "signed-in",
  responses: { 200: { description: "How far it is", schema: Demonstration } },
});

const loadSpec = operation({
  ...common,
  id: "loadDemonstration",
  method: "post",
  summary: "Load the demonstration into an empty catalogue, in the background",
  access: { permission: "DATA_SOURCE_CREATE", on: "MANAGEMENT" },
  activity: { none: "what it loads is recorded as what it is: assets, terms, owners" },
  responses: { 200: { description: "It has begun", schema: Demonstration } },
});

/** The operations on the demonstration, which is loaded by the operations of `all`; `stop` ends a load. */
export function demonstrationRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer">,
  all: () => Route[],
) {
  const loader = new DemonstrationLoader(context, () => ({
    routes: all(),
    authorizer,
    log: context.log,
  }));
  const routes: Route[] = [
    serve(statusSpec, async () => ok(await loader.status())),
    serve(loadSpec, async ({ actor }) => ok(await loader.start(actor))),
  ];
  return { routes, stop: () => loader.stop() };
}
