import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "#kit/metrics.ts";

/** Metrics of one process, with the text that Prometheus scrapes. */
export interface MetricsRegistry extends Metrics {
  /** Exposition format, and its content type. */
  exposition(): Promise<{ content: string; contentType: string }>;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Instruments by prom-client; asking twice for one name gives the same instrument. */
export function createMetrics(): MetricsRegistry {
  const registry = new Registry();
  const once = <T>(name: string, make: () => T): T =>
    (registry.getSingleMetric(name) as T | undefined) ?? make();
  const registers = [registry];
  return {
    counter(name, help, labelNames = []) {
      const counter = once(name, () => new Counter({ name, help, labelNames, registers }));
      return { inc: (labels = {}, value = 1) => counter.inc(labels, value) };
    },
    gauge(name, help, labelNames = []) {
      const gauge = once(name, () => new Gauge({ name, help, labelNames, registers }));
      return { set: (labels, value) => gauge.set(labels, value) };
    },
    histogram(name, help, labelNames = [], buckets = seconds) {
      const make = () => new Histogram({ name, help, labelNames, buckets, registers });
      const histogram = once(name, make);
      return { observe: (labels, value) => histogram.observe(labels, value) };
    },
    async exposition() {
      return { content: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
