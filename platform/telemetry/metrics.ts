import process from "node:process";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "#kit/metrics.ts";
import { exhausted } from "#kit/supervisor.ts";
import type { Health } from "#kit/worker.ts";
import type { Database } from "#metadata/postgres/database.ts";

/** Metrics of one process, and their text for Prometheus. */
export interface MetricsRegistry extends Metrics {
  /** Exposition format, and its content type. */
  exposition(): Promise<{ content: string; contentType: string }>;
}

/** Seconds. */
const standardBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Maximum number of series of one metric; observations that would create a further one are dropped. */
export const maxSeries = 5_000;
/** Longest value of a label, characters. */
export const maxLabel = 120;

/**
 * Labels that Prometheus (its own, or ops/prometheus.yml) gives the targets: it would rename ours to `exported_…`, and rules and
 * dashboards would read the target's.
 */
const targetLabels = ["job", "instance", "service"];

type Labels = Record<string, string>;

/**
 * Instruments by prom-client; requesting a name twice returns the same instrument. Whatever the label values,
 * a metric has at most `maxSeries` series; `tributary_metrics_series_dropped_total` counts what exceeds that.
 */
export function createMetrics(): MetricsRegistry {
  const registry = new Registry();
  const once = <T>(name: string, labelNames: string[], make: () => T): T => {
    refuseTargetLabels(name, labelNames);
    return (registry.getSingleMetric(name) as T | undefined) ?? make();
  };
  const registers = [registry];
  const admit = admission(registry);
  return {
    counter(name, help, labelNames = []) {
      const counter = once(
        name,
        labelNames,
        () => new Counter({ name, help, labelNames, registers }),
      );
      return {
        inc: (labels = {}, value = 1) => admit(name, labels, (taken) => counter.inc(taken, value)),
      };
    },
    gauge(name, help, labelNames = []) {
      const gauge = once(name, labelNames, () => new Gauge({ name, help, labelNames, registers }));
      return {
        set: (labels, value) => admit(name, labels, (taken) => gauge.set(taken, value)),
      };
    },
    histogram(name, help, labelNames = [], buckets = standardBuckets) {
      const make = () => new Histogram({ name, help, labelNames, buckets, registers });
      const histogram = once(name, labelNames, make);
      return {
        observe: (labels, value) => admit(name, labels, (taken) => histogram.observe(taken, value)),
      };
    },
    async exposition() {
      return { content: await registry.metrics(), contentType: registry.contentType };
    },
  };
}

function refuseTargetLabels(metric: string, labelNames: string[]): void {
  for (const label of labelNames) {
    if (!targetLabels.includes(label)) continue;
    const taken = targetLabels.join(", ");
    throw new Error(`${metric}: label ${label} is one of Prometheus's own (${taken}); rename it`);
  }
}

/** Passes labels to `use` when their series exists already or fits into the limit. */
function admission(registry: Registry) {
  const known = new Map<string, Set<string>>();
  const dropped = new Counter({
    name: "tributary_metrics_series_dropped_total",
    help: "Observations that were dropped since their metric had too many series",
    labelNames: ["metric"],
    registers: [registry],
  });
  return (metric: string, labels: Labels, use: (labels: Labels) => void): void => {
    const given = Object.values(labels);
    if (given.length === 0) return use(labels);
    const taken = given.some((value) => String(value).length > maxLabel)
      ? withCutValues(labels)
      : labels;
    const series = known.get(metric) ?? new Set();
    const key = Object.entries(taken).map((label) => label.join("\0")).join("\0");
    if (!series.has(key)) {
      if (series.size >= maxSeries) return dropped.inc({ metric });
      known.set(metric, series.add(key));
    }
    use(taken);
  };
}

function withCutValues(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, String(value).slice(0, maxLabel)]),
  );
}

/** Sets the metrics of this process; called at each scrape. */
export function observeProcess(metrics: Metrics, db: Database): void {
  const { rss, heapUsed } = process.memoryUsage();
  metrics.gauge("process_resident_memory_bytes", "Resident memory of this process").set({}, rss);
  metrics.gauge("process_heap_bytes", "Heap in use by JavaScript").set({}, heapUsed);
  const connections = metrics.gauge(
    "tributary_metadata_connections",
    "Connections to the metadata store by state, and requests waiting for one",
    ["state"],
  );
  const { totalCount, idleCount, waitingCount } = db.pool;
  connections.set({ state: "active" }, totalCount - idleCount);
  connections.set({ state: "idle" }, idleCount);
  connections.set({ state: "waiting" }, waitingCount);
  const reads = metrics.counter(
    "tributary_metadata_shared_reads_total",
    "Reads that callers may share, by whether each was executed or shared the execution of another",
    ["result"],
  );
  const { requested, executed } = db.reads.takeCounts();
  reads.inc({ result: "executed" }, executed);
  reads.inc({ result: "shared" }, requested - executed);
}

/** Sets the health metrics of the workers; called at each scrape. `/health/ready` has the states in words. */
export function observeWorkers(metrics: Metrics, workers: Record<string, Health>): void {
  const ready = metrics.gauge(
    "tributary_worker_ready",
    "1 while a worker is ready or on standby; /health/ready shows its state",
    ["worker"],
  );
  const lost = metrics.gauge(
    "tributary_worker_given_up",
    "1 for a worker that crashed too often in a row; it is tried about once a minute",
    ["worker"],
  );
  for (const [worker, health] of Object.entries(workers)) {
    ready.set({ worker }, health.ready ? 1 : 0);
    lost.set({ worker }, health.state === exhausted ? 1 : 0);
  }
}
