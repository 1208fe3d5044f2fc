import type { Metrics } from "#kit/metrics.ts";
import { accounts, type SpanAccounting } from "./accounting.ts";
import type { Batch } from "./batch.ts";
import { GraphMetrics } from "./graph-metrics.ts";
import type { Overflow, SpanPairer } from "./pairing.ts";

/** Metrics of the service-graph workers; each is counted once its subject is committed. */
export class PairingMetrics {
  readonly #facts;
  readonly #waiting;
  readonly #time;
  readonly #edges;
  readonly #refusedEdges;
  readonly #overflow;
  readonly #refused;
  readonly #lag;
  readonly #graph: GraphMetrics;
  readonly #reported = new WeakMap<SpanPairer, Overflow>();

  constructor(metrics: Metrics) {
    this.#graph = new GraphMetrics(metrics);
    this.#facts = metrics.counter(
      "tributary_traces_facts_total",
      "Facts of spans read from the log, and their outcomes; a pair counts once",
      ["outcome"],
    );
    this.#waiting = metrics.gauge(
      "tributary_traces_waiting",
      "Spans waiting for the other half of their call",
      ["partition"],
    );
    this.#time = metrics.gauge(
      "tributary_traces_stream_time_seconds",
      "Log time that a partition of spans has reached, in seconds since the epoch",
      ["partition"],
    );
    this.#edges = metrics.counter(
      "tributary_traces_edges_merged_total",
      "Edges updated by commits of the service-graph workers",
    );
    this.#refusedEdges = metrics.counter(
      "tributary_traces_edges_refused_total",
      "Edges that the metadata store rejected as invalid and that were left out of a commit",
    );
    this.#overflow = metrics.counter(
      "tributary_traces_overflow_total",
      "Spans evicted early: waiting ones, or those remembered for deduplication",
      ["what"],
    );
    this.#lag = metrics.gauge(
      "tributary_traces_lag_records",
      "Records of the log of spans that are not counted yet, when last measured",
      ["partition"],
    );
    this.#refused = metrics.counter(
      "tributary_traces_records_refused_total",
      "Records of the log of spans written to the dead letters, by reason",
      ["reason"],
    );
  }

  lag(partition: number, records: number): void {
    this.#lag.set({ partition: String(partition) }, records);
  }

  refused(reason: string): void {
    this.#refused.inc({ reason });
  }

  refusedEdge(): void {
    this.#refusedEdges.inc();
  }

  committed(partition: number, pairing: SpanPairer, gained: SpanAccounting, batch: Batch): void {
    for (const outcome of accounts) {
      if (outcome !== "waiting" && gained[outcome] > 0) {
        this.#facts.inc({ outcome }, gained[outcome]);
      }
    }
    const labels = { partition: String(partition) };
    this.#waiting.set(labels, pairing.waitingCount);
    this.#time.set(labels, pairing.time / 1_000);
    this.#edges.inc({}, batch.deltas.size);
    this.#overflowed(pairing);
    for (const observation of batch.observations) this.#graph.add(observation);
  }

  #overflowed(pairing: SpanPairer): void {
    const reported = this.#reported.get(pairing) ?? { waiting: 0, seen: 0 };
    const now = { ...pairing.overflow };
    for (const what of ["waiting", "seen"] as const) {
      if (now[what] > reported[what]) this.#overflow.inc({ what }, now[what] - reported[what]);
    }
    this.#reported.set(pairing, now);
  }
}
