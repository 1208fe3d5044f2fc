import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { leaveProcesses, tellProcess } from "#platform/ops/workers/queries.ts";
import type { OwnProcess, WorkerStanding } from "#platform/ops/workers/watch.ts";

/** Milliseconds between two looks, and between two reports when nothing changes. */
const lookMs = 1_000;
const reportMs = 5_000;

/** Milliseconds that the end of the process waits for its last report. */
const leaveMs = 1_000;

interface Parts {
  db: Database;
  clock: Clock;
  log: Logger;
}

/**
 * Tells other processes of this instance how the workers of this one stand: when that changes, and every five
 * seconds. Returns a handle that ends it and takes the process off the list.
 */
export function reportProcess({ db, clock, log }: Parts, own: OwnProcess): () => Promise<void> {
  let told = { at: -Infinity, workers: "" };
  const loop = new Loop({
    clock,
    retry: { initial: lookMs, max: 10_000 },
    stopMs: leaveMs,
    failed: (error) => log.debug("other processes are not told", { error: messageOf(error) }),
    async round() {
      const workers = own.workers();
      const news = { at: clock.now(), workers: essence(workers) };
      if (news.workers !== told.workers || news.at - told.at >= reportMs) {
        await tellProcess(db, own, workers);
        told = news;
      }
      return lookMs;
    },
  });
  loop.start((error) => log.error("other processes are told no more", { error }));
  return async () => {
    await loop.stop();
    const late = () => new Error("the metadata store does not answer");
    await withTimeout(leaveProcesses(db, own.holder), leaveMs, late).catch(() => {});
  };
}

/** What is worth a report at once: causes with numbers in them change all the time. */
function essence(workers: WorkerStanding[]): string {
  return workers.map(({ name, state }) => `${name}=${state}`).join();
}
