import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { LeasedLoop } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";
import { setSamples, takeSamples } from "#platform/ops/history.ts";

const lease = { name: "operations-history", ttlMs: 90_000 };
/** Milliseconds between two samples, and between two looks at the lease. */
const everyMs = 60_000;
const standbyMs = 30_000;

/** Samples lag, dead letters and the graph every minute, in the one process that holds the lease. */
export function operationsHistoryWorker(context: Context): Worker {
  const { leases, clock, log } = context;
  let failed: string | null = null;
  const loop = new LeasedLoop({
    lease,
    leases,
    clock,
    log,
    standbyMs,
    retry: { initial: standbyMs, max: everyMs },
    failed: (error) => {
      failed = messageOf(error);
      log.debug("samples of this minute were not taken", { error: failed });
    },
    async lead() {
      const taken = await takeSamples(context);
      if (taken.samples.size > 0) await setSamples(context.db, taken.samples);
      failed = taken.failed.length > 0 ? messageOf(taken.failed[0]) : null;
      return everyMs;
    },
  });
  return {
    name: "operations history",
    start(onCrash) {
      return loop.start(onCrash);
    },
    stop: () => loop.stop(),
    health: (): Health => {
      if (!loop.leading) return { ready: true, state: "standby" };
      return { ready: true, state: "running", ...(failed ? { detail: failed } : {}) };
    },
  };
}
