import type { Context } from "#platform/context.ts";
import { impactOfAlerts } from "#services/api/features/alerts/impact.queries.ts";
import { maxCounted } from "#services/api/features/alerts/limits.ts";
import { severityOf } from "#services/api/features/alerts/severity.ts";

/**
 * AlertImpact of each of these alerts that lists show, in their order, each once; walks share the time of one lineage
 * request. `silences`: whether the caller may see them.
 */
export async function readImpacts(
  { db, config }: Pick<Context, "db" | "config">,
  ids: number[],
  { silences }: { silences: boolean },
) {
  const values = [[...new Set(ids)], maxCounted, config.lineage.timeout, silences];
  const rows = await db.reads.query(impactOfAlerts, values);
  return rows.map(({ alert_id, total, consumers, at_least, silence }) => ({
    alert_id,
    severity: severityOf({ total, consumers }),
    affected_total: total,
    affected_consumers: consumers,
    affected_at_least: at_least,
    silence,
  }));
}
