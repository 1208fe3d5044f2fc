import type { Metrics } from "#kit/metrics.ts";
import { type Refusal, refusals } from "./model.ts";

/** Counters of what was read from SQL. */
export class SqlLineageMetrics {
  readonly #read;
  readonly #refused;
  readonly #dropped;
  readonly #waiting;

  constructor(metrics: Metrics) {
    this.#read = metrics.counter(
      "tributary_sql_lineage_read_total",
      "Entities whose SQL was parsed for column lineage",
    );
    this.#refused = metrics.counter(
      "tributary_sql_lineage_refused_total",
      "Entities whose SQL yielded no column lineage, by reason",
      ["reason"],
    );
    this.#dropped = metrics.counter(
      "tributary_sql_lineage_dropped_edges_total",
      "Column edges read from SQL and dropped because a dataset has no such column",
    );
    this.#waiting = metrics.gauge(
      "tributary_sql_lineage_waiting",
      "Changed entities whose SQL has not been parsed yet, in this process",
    );
    for (const reason of refusals) this.#refused.inc({ reason }, 0);
  }

  read(): void {
    this.#read.inc();
  }

  refused(reason: Refusal): void {
    this.#refused.inc({ reason });
  }

  dropped(edges: number): void {
    this.#dropped.inc({}, edges);
  }

  waiting(entities: number): void {
    this.#waiting.set({}, entities);
  }
}
