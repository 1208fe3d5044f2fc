import process from "node:process";
import { exhausted } from "#kit/supervisor.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Health } from "#kit/worker.ts";
import type { Database } from "#metadata/postgres/database.ts";

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
