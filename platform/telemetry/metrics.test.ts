import { describe, expect, it } from "vitest";
import { createMetrics, maxSeries } from "#platform/telemetry/metrics.ts";

const lines = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.exposition()).content.split("\n").filter((line) => line.startsWith(`${name}{`));

describe("createMetrics", () => {
  it("keeps a bounded number of series of one metric, and counts what it drops", async () => {
    const metrics = createMetrics();
    const counter = metrics.counter("words_total", "Words", ["word"]);
    for (let i = 0; i < maxSeries + 50; i++) counter.inc({ word: `w${i}` });
    counter.inc({ word: "w0" });
    expect(await lines(metrics, "words_total")).toHaveLength(maxSeries);
    expect((await metrics.exposition()).content).toContain('words_total{word="w0"} 2');
    expect(await lines(metrics, "tributary_metrics_series_dropped_total")).toEqual([
      'tributary_metrics_series_dropped_total{metric="words_total"} 50',
    ]);
  });
  it("counts the series of an instrument that is requested twice together", async () => {
    const metrics = createMetrics();
    const ask = () => metrics.gauge("sizes", "Sizes", ["of"]);
    for (let i = 0; i < maxSeries + 10; i++) ask().set({ of: String(i) }, i);
    expect(await lines(metrics, "sizes")).toHaveLength(maxSeries);
  });
  it("shortens a label that is long", async () => {
    const metrics = createMetrics();
    metrics.histogram("times", "Times", ["route"]).observe({ route: "x".repeat(10_000) }, 1);
    expect((await metrics.exposition()).content.length).toBeLessThan(10_000);
  });
  it.each(["job", "instance", "service"])("refuses the label %s, which targets have", (label) => {
    const metrics = createMetrics();
    for (const kind of ["counter", "gauge", "histogram"] as const) {
      expect(() => metrics[kind]("runs_total", "Runs", ["outcome", label])).toThrow(
        `runs_total: label ${label} is one of Prometheus's own (job, instance, service); rename it`,
      );
    }
  });
});
