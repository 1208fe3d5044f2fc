import type { Context } from "#platform/context.ts";
import { freshnessOf } from "#services/api/features/asset-health/freshness.ts";
import { healthOf, type HealthRow } from "#services/api/features/asset-health/queries.ts";

/** Updates of an entity from which its rhythm is taken. */
const maxUpdates = 10;

/** AssetHealth of each of these entities that is visible, in their order, each once. */
export async function readHealth({ db, clock }: Pick<Context, "db" | "clock">, ids: number[]) {
  const rows = await db.query(healthOf, [[...new Set(ids)], maxUpdates]);
  return rows.map((row) => healthAnswer(row, clock.now()));
}

function healthAnswer({ id, updates, total, success, failed, ...row }: HealthRow, now: number) {
  return {
    id,
    freshness: freshnessOf(updates, now),
    last_run: row.last_run,
    tests: { total, success_total: success, failed_total: failed },
    open_alerts: row.open_alerts,
    owners: row.owners,
    columns_total: row.columns_total,
  };
}
