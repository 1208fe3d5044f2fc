import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "#kit/metrics.ts";

/** Metrics of one process, and their text for Prometheus. */
export interface MetricsRegistry extends Metrics {
  /** Exposition format, and its content type. */
  exposition(): Promise<{ content: string; contentType: string }>;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

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
    histogram(name, help, labelNames = [], buckets = seconds) {
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
    const taken = given.some((value) => String(value).length > maxLabel) ? cut(labels) : labels;
    const series = known.get(metric) ?? new Set();
    const key = Object.entries(taken).map((label) => label.join("\0")).join("\0");
    if (!series.has(key)) {
      if (series.size >= maxSeries) return dropped.inc({ metric });
      known.set(metric, series.add(key));
    }
    use(taken);
  };
}

function cut(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, String(value).slice(0, maxLabel)]),
  );
}
