import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { leaveProcesses, recordProcess } from "#platform/ops/workers/queries.ts";
import type { OwnProcess, WorkerStatus } from "#platform/ops/workers/watch.ts";

/** Milliseconds between two looks, and between two reports when nothing changes. */
const checkMs = 1_000;
const reportMs = 5_000;

/** Milliseconds that the end of the process waits for its last report. */
const leaveMs = 1_000;

interface ReportDeps {
  db: Database;
  clock: Clock;
  log: Logger;
}

/**
 * Reports the worker status of this process to other processes of the instance: when it changes, and every five
 * seconds. Returns a handle that ends it and takes the process off the list.
 */
export function reportProcess(
  { db, clock, log }: ReportDeps,
  own: OwnProcess,
): () => Promise<void> {
  let lastReported = { at: -Infinity, workers: "" };
  const loop = new Loop({
    clock,
    retry: { initial: checkMs, max: 10_000 },
    stopMs: leaveMs,
    failed: (error) =>
      log.debug("worker states could not be reported to other processes", {
        error: messageOf(error),
      }),
    async round() {
      const workers = own.workers();
      const current = { at: clock.now(), workers: essence(workers) };
      if (current.workers !== lastReported.workers || current.at - lastReported.at >= reportMs) {
        await recordProcess(db, own, workers);
        lastReported = current;
      }
      return checkMs;
    },
  });
  loop.start((error) =>
    log.error("worker states are no longer reported to other processes", { error })
  );
  return async () => {
    await loop.stop();
    const late = () => new Error("the metadata store does not answer");
    await withTimeout(leaveProcesses(db, own.holder), leaveMs, late).catch(() => {});
  };
}

/** What is worth a report at once: causes with numbers in them change all the time. */
function essence(workers: WorkerStatus[]): string {
  return workers.map(({ name, state }) => `${name}=${state}`).join();
}
