import { expect, it } from "vitest";
import { createMetrics, observeWorkers } from "#platform/telemetry/metrics.ts";

it("observeWorkers shows each worker as it is at the moment of a scrape", async () => {
  const metrics = createMetrics();
  const shown = async () => (await metrics.exposition()).content;
  observeWorkers(metrics, { sender: { ready: true, state: "running" } });
  expect(await shown()).toContain('tributary_worker_ready{worker="sender"} 1');
  observeWorkers(metrics, { sender: { ready: false, state: "paused" } });
  expect(await shown()).toContain('tributary_worker_ready{worker="sender"} 0');
});
