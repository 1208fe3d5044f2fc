import { z } from "@hono/zod-openapi";
import { AssetHealthList, maxHealths } from "#contract/catalogue/asset-health.ts";
import { idListQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { readHealth } from "#services/api/features/asset-health/service.ts";

const healthSpec = operation({
  id: "getDataEntitiesHealth",
  method: "get",
  path: "/api/dataentities/health",
  tag: "dataEntity",
  document: "platform",
  access: "signed-in",
  summary: "Freshness, last run, tests, open alerts and owners of several entities",
  query: z.object({
    ids: idListQuery("ids", maxHealths, "Ids of the entities"),
  }),
  responses: { 200: { description: "In the order of the request", schema: AssetHealthList } },
});

/** The operation that returns the current health of entities. */
export function assetHealthRoutes(context: Context): Route[] {
  return [
    serve(healthSpec, async ({ query }) => ok({ items: await readHealth(context, query.ids) })),
  ];
}
