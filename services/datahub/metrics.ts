import type { Metrics } from "#kit/metrics.ts";
import type { QueueMetrics } from "#platform/composed-source/deps.ts";
import type { Table } from "./publisher/rows.queries.ts";

/** What becomes of entities of DataHub after their aspects were stored. */
export class DatahubMetrics implements QueueMetrics<Table> {
  readonly #posted;
  readonly #dirty;
  readonly #failures;

  constructor(metrics: Metrics) {
    this.#posted = metrics.counter(
      "tributary_datahub_posted_total",
      "Entities of DataHub published in batches",
    );
    this.#dirty = metrics.gauge(
      "tributary_datahub_dirty",
      "Entities of DataHub waiting to be published, up to 10,000",
    );
    this.#failures = metrics.counter(
      "tributary_datahub_publish_failures_total",
      "Failed rounds of the publisher of DataHub entities",
      ["cause"],
    );
  }

  posted(_: Table, rows: number): void {
    this.#posted.inc({}, rows);
  }

  waiting(_: Table, rows: number): void {
    this.#dirty.set({}, rows);
  }

  failed(cause: "event_log" | "metadata"): void {
    this.#failures.inc({ cause });
  }
}
