import type { Memo } from "#kit/memo.ts";
import type { Metrics } from "#kit/metrics.ts";
import { lookupCacheEntries } from "#kit/short-cache.ts";
import type { Match } from "#platform/naming/model.ts";
import type { Table } from "./publisher/rows.queries.ts";

const tables: Record<Table, string> = { ol_job: "jobs", ol_run: "runs", ol_dataset: "datasets" };

/**
 * Counts what becomes of OpenLineage events after they were taken in. `memos`: what is kept to be made only once, by the
 * name under which it is counted.
 */
export function openLineageMetrics(
  metrics: Metrics,
  memos: Record<string, Pick<Memo<unknown>, "size">> = {},
) {
  const merged = metrics.counter(
    "tributary_openlineage_events_merged_total",
    "OpenLineage events merged into the state of jobs, runs and datasets",
  );
  const refused = metrics.counter(
    "tributary_openlineage_records_refused_total",
    "Invalid records in the OpenLineage event log",
  );
  const posted = metrics.counter(
    "tributary_openlineage_posted_total",
    "Jobs, runs and datasets of OpenLineage published in batches",
    ["table"],
  );
  const dirty = metrics.gauge(
    "tributary_openlineage_dirty",
    "Jobs, runs and datasets of OpenLineage waiting to be composed, up to 10,000 of each",
    ["table"],
  );
  const lag = metrics.gauge(
    "tributary_openlineage_lag_seconds",
    "Time from receiving to merging the last OpenLineage event",
  );
  const matches = metrics.counter(
    "tributary_openlineage_resolve_total",
    "Names of datasets that were resolved, by how they were found",
    ["match"],
  );
  const failures = metrics.counter(
    "tributary_openlineage_compose_failures_total",
    "Failed rounds of the OpenLineage composer",
    ["cause"],
  );
  const cached = lookupCacheEntries(metrics);
  return {
    merged(events: number, lagMs: number): void {
      merged.inc({}, events);
      lag.set({}, Math.max(0, lagMs) / 1_000);
      for (const [cache, { size }] of Object.entries(memos)) cached.set({ cache }, size);
    },
    refused: () => refused.inc({}, 1),
    posted: (table: Table, rows: number) => posted.inc({ table: tables[table] }, rows),
    waiting: (table: Table, rows: number) => dirty.set({ table: tables[table] }, rows),
    resolved: (match: Match) => matches.inc({ match }),
    failed: (cause: "event_log" | "metadata") => failures.inc({ cause }),
  };
}
export type OpenLineageMetrics = ReturnType<typeof openLineageMetrics>;
