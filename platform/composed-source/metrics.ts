import { fieldPath } from "#contract/ingestion/path.ts";
import { IngestedMetricSetList } from "#contract/ingestion/others.ts";
import { recordMetrics } from "#metadata/catalogue/metric-points.ts";
import type { QueueDeps } from "./deps.ts";
import type { MetricSet } from "./item.ts";

/**
 * Keeps figures as `POST /ingestion/metrics` does: of each series the newest point, so that posting them again
 * changes nothing. What a collector could not post is left out.
 */
export async function storeMetrics(
  { db, clock, log, intakeWarnings }: Pick<
    QueueDeps,
    "db" | "clock" | "log" | "intakeWarnings"
  >,
  metrics: MetricSet[],
): Promise<void> {
  const items = metrics.flatMap((set) => {
    const parsed = IngestedMetricSetList.safeParse({ items: [set] });
    if (parsed.success) return parsed.data.items;
    const [issue] = parsed.error.issues;
    const reason = `metrics cannot be stored: ${fieldPath(issue!.path)} ${issue!.message}`;
    log.warn("ingestion rejects composed metrics as invalid", { catrn: set.catrn, reason });
    intakeWarnings.note({ namespace: "", name: set.catrn, kind: "not_posted", reason });
    return [];
  });
  if (items.length > 0) await recordMetrics(db, { items }, clock.now());
}
