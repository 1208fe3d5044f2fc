import type { Memo } from "#kit/memo.ts";
import type { Metrics } from "#kit/metrics.ts";
import { lookupCacheEntries } from "#kit/short-cache.ts";
import type { Match } from "#platform/naming/model.ts";
import type { Table } from "./publisher/rows.queries.ts";

const tables: Record<Table, string> = { ol_job: "jobs", ol_run: "runs", ol_dataset: "datasets" };

/** What becomes of OpenLineage events after they were taken in. */
export class OpenLineageMetrics {
  readonly #merged;
  readonly #refused;
  readonly #posted;
  readonly #dirty;
  readonly #lag;
  readonly #matches;
  readonly #failures;
  readonly #storedGauge;

  /** `memos`: what is kept to be made only once, by the name under which it is counted. */
  constructor(
    metrics: Metrics,
    private readonly memos: Record<string, Pick<Memo<unknown>, "size">> = {},
  ) {
    this.#merged = metrics.counter(
      "tributary_openlineage_events_merged_total",
      "OpenLineage events merged into the state of jobs, runs and datasets",
    );
    this.#refused = metrics.counter(
      "tributary_openlineage_records_refused_total",
      "Invalid records in the OpenLineage event log",
    );
    this.#posted = metrics.counter(
      "tributary_openlineage_posted_total",
      "Jobs, runs and datasets of OpenLineage published in batches",
      ["table"],
    );
    this.#dirty = metrics.gauge(
      "tributary_openlineage_dirty",
      "Jobs, runs and datasets of OpenLineage waiting to be composed, up to 10,000 of each",
      ["table"],
    );
    this.#lag = metrics.gauge(
      "tributary_openlineage_lag_seconds",
      "Time from receiving to merging the last OpenLineage event",
    );
    this.#matches = metrics.counter(
      "tributary_openlineage_resolve_total",
      "Names of datasets that were resolved, by how they were found",
      ["match"],
    );
    this.#failures = metrics.counter(
      "tributary_openlineage_compose_failures_total",
      "Failed rounds of the OpenLineage composer",
      ["cause"],
    );
    this.#storedGauge = lookupCacheEntries(metrics);
  }

  merged(events: number, lagMs: number): void {
    this.#merged.inc({}, events);
    this.#lag.set({}, Math.max(0, lagMs) / 1_000);
    for (const [cache, { size }] of Object.entries(this.memos)) {
      this.#storedGauge.set({ cache }, size);
    }
  }

  refused(): void {
    this.#refused.inc({}, 1);
  }

  posted(table: Table, rows: number): void {
    this.#posted.inc({ table: tables[table] }, rows);
  }

  waiting(table: Table, rows: number): void {
    this.#dirty.set({ table: tables[table] }, rows);
  }

  resolved(match: Match): void {
    this.#matches.inc({ match });
  }

  failed(cause: "event_log" | "metadata"): void {
    this.#failures.inc({ cause });
  }
}
