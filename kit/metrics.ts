/** Metric instruments; names follow Prometheus conventions (base units, `_total`, `_seconds`). */
export interface Counter {
  inc(labels?: Record<string, string>, value?: number): void;
}
export interface Gauge {
  set(labels: Record<string, string>, value: number): void;
}
export interface Histogram {
  observe(labels: Record<string, string>, value: number): void;
}

export interface Metrics {
  /** Requesting the same name twice returns the same instrument. */
  counter(name: string, help: string, labels?: string[]): Counter;
  gauge(name: string, help: string, labels?: string[]): Gauge;
  histogram(name: string, help: string, labels?: string[], buckets?: number[]): Histogram;
}

/** Counts nothing; for tests and tools. */
export const noMetrics: Metrics = {
  counter: () => ({ inc() {} }),
  gauge: () => ({ set() {} }),
  histogram: () => ({ observe() {} }),
};
