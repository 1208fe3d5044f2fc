import { z } from "@hono/zod-openapi";
import { AssetHealthList, maxHealths } from "#contract/catalogue/asset-health.ts";
import { idListQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { freshnessOf } from "#services/api/features/asset-health/freshness.ts";
import { healthOf, type HealthRow } from "#services/api/features/asset-health/queries.ts";

/** Updates of an entity from which its rhythm is taken. */
const maxUpdates = 10;

const healthSpec = operation({
  id: "getDataEntitiesHealth",
  method: "get",
  path: "/api/dataentities/health",
  tag: "dataEntity",
  document: "platform",
  access: "signed-in",
  summary: "Freshness, tests, open alerts and owners of several entities",
  query: z.object({
    ids: idListQuery("ids", maxHealths, "Ids of the entities"),
  }),
  responses: { 200: { description: "In the order of the request", schema: AssetHealthList } },
});

/** The operation that tells how entities are at the moment. */
export function assetHealthRoutes({ db, clock }: Context): Route[] {
  return [
    serve(healthSpec, async ({ query }) => {
      const rows = await db.query(healthOf, [[...new Set(query.ids)], maxUpdates]);
      return ok({ items: rows.map((row) => healthAnswer(row, clock.now())) });
    }),
  ];
}

function healthAnswer({ id, updates, total, success, failed, ...row }: HealthRow, now: number) {
  return {
    id,
    freshness: freshnessOf(updates, now),
    tests: { total, success_total: success, failed_total: failed },
    open_alerts: row.open_alerts,
    owners: row.owners,
  };
}
