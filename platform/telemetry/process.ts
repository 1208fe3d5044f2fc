import process from "node:process";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/database.ts";

/** Sets the figures of this process as they are at the moment of a scrape. */
export function observeProcess(metrics: Metrics, db: Database): void {
  const { rss, heapUsed } = process.memoryUsage();
  metrics.gauge("process_resident_memory_bytes", "Resident memory of this process").set({}, rss);
  metrics.gauge("process_heap_bytes", "Heap in use by JavaScript").set({}, heapUsed);
  const connections = metrics.gauge(
    "tributary_metadata_connections",
    "Connections to the metadata store, and who waits for one",
    ["state"],
  );
  const { totalCount, idleCount, waitingCount } = db.pool;
  connections.set({ state: "active" }, totalCount - idleCount);
  connections.set({ state: "idle" }, idleCount);
  connections.set({ state: "waiting" }, waitingCount);
}
