import type { RunCounts, RunKind, RunState } from "#contract/connections/connection.ts";
import type { Metrics } from "#kit/metrics.ts";

/** What connections do. */
export class CollectorMetrics {
  readonly #runs;
  readonly #seconds;
  readonly #items;
  readonly #running;
  readonly #buffered;

  constructor(metrics: Metrics) {
    this.#runs = metrics.counter(
      "tributary_collector_runs_total",
      "Runs of connections that ended, by connector, kind and state",
      ["connector", "kind", "state"],
    );
    this.#seconds = metrics.histogram(
      "tributary_collector_run_seconds",
      "Duration of runs of connections",
      ["connector"],
      [1, 5, 15, 60, 300, 900, 3_600],
    );
    this.#items = metrics.counter(
      "tributary_collector_items_total",
      "Assets that connections read, by outcome",
      ["outcome"],
    );
    this.#running = metrics.gauge("tributary_collector_running", "Runs of connections in progress");
    this.#buffered = metrics.gauge(
      "tributary_collector_buffered_bytes",
      "Bytes of assets waiting to be published",
    );
    for (const outcome of outcomes) this.#items.inc({ outcome }, 0);
    this.#running.set({}, 0);
    this.#buffered.set({}, 0);
  }

  ended(connector: string, kind: RunKind, state: RunState, ms: number): void {
    this.#runs.inc({ connector, kind, state });
    this.#seconds.observe({ connector }, ms / 1_000);
  }

  counted(counts: RunCounts): void {
    for (const outcome of outcomes) this.#items.inc({ outcome }, counts[outcome]);
  }

  running(count: number): void {
    this.#running.set({}, count);
  }

  buffered(bytes: number): void {
    this.#buffered.set({}, bytes);
  }
}

const outcomes = ["added", "changed", "unchanged", "removed", "skipped"] as const;
