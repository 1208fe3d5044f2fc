import { z } from "@hono/zod-openapi";
import { Collector, CollectorList } from "#contract/catalogue/common.ts";
import { CollectorForm, listQuery } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/collectors/service.ts";

const common = { tag: "collector", document: "platform" as const, secret: true };
const one = "/api/collectors/{collector_id}";
const params = z.object({ collector_id: idParam("collector_id") });
const activity = { none: "the feed contains changes of entities; a collector is not one" };

const listSpec = operation({
  ...common,
  id: "getCollectorsList",
  method: "get",
  path: "/api/collectors",
  summary: "Collectors by name; their tokens are masked",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: CollectorList } },
});

const registerSpec = operation({
  ...common,
  id: "registerCollector",
  method: "post",
  path: "/api/collectors",
  summary: "Register a collector; only this response contains its token",
  access: { permission: "COLLECTOR_CREATE", on: "MANAGEMENT" },
  activity,
  body: CollectorForm,
  responses: { 200: { description: "The collector", schema: Collector } },
});

const updateSpec = operation({
  ...common,
  id: "updateCollector",
  method: "put",
  path: one,
  summary: "Change a collector; members left out stay as they are, null empties them",
  access: { permission: "COLLECTOR_UPDATE", on: "MANAGEMENT" },
  activity,
  params,
  body: CollectorForm,
  responses: { 200: { description: "The collector", schema: Collector } },
  errors: [404],
});

const deleteSpec = operation({
  ...common,
  id: "deleteCollector",
  method: "delete",
  path: one,
  summary: "Delete a collector that has no data sources",
  access: { permission: "COLLECTOR_DELETE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 204: { description: "Deleted" } },
  errors: [404],
});

const tokenSpec = operation({
  ...common,
  id: "regenerateCollectorToken",
  method: "put",
  path: `${one}/token`,
  summary: "Regenerate the token of a collector; the old one is invalid immediately",
  access: { permission: "COLLECTOR_TOKEN_REGENERATE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 200: { description: "The collector with its full token", schema: Collector } },
  errors: [404],
});

/** The operations on collectors. */
export function collectorRoutes(context: Context): Route[] {
  return [
    serve(listSpec, async ({ query }) => okJson(await service.listCollectors(context, query))),
    serve(
      registerSpec,
      async ({ body, actor }) => okJson(await service.registerCollector(context, actor, body)),
    ),
    serve(
      updateSpec,
      async ({ params, body, actor }) =>
        okJson(await service.updateCollector(context, actor, params.collector_id, body)),
    ),
    serve(deleteSpec, async ({ params, actor }) => {
      await service.deleteCollector(context, actor, params.collector_id);
      return noContent();
    }),
    serve(
      tokenSpec,
      async ({ params, actor }) =>
        okJson(await service.regenerateToken(context, actor, params.collector_id)),
    ),
  ];
}
