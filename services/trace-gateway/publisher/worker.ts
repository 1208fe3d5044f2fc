import type { Clock } from "#kit/clock.ts";
import type { Worker } from "#kit/worker.ts";
import { ComposedPublisher } from "#platform/composed-source/worker.ts";
import type { Context } from "#platform/context.ts";
import { type PublisherContext, type PublisherDeps, publisherDeps } from "./deps.ts";
import { publishAll } from "./round.ts";
import { writeStatistics } from "./statistics.ts";
import { ensureSource } from "./store.queries.ts";

/** The lease of the one process that posts services. */
export const publisherLease = "trace-publisher";

/** Milliseconds that the lease lasts; each transaction renews it. */
export const leaseMs = 15_000;

/** Maximum number of milliseconds between two looks at the lease and at what is to be done. */
const maxPollMs = 5_000;

/**
 * Makes catalogue entities of `service_edge`: one process leads, by lease, others stand by. What
 * changed is posted at once, but no more often than every `traces.publish-interval`.
 */
export class ServicePublisher extends ComposedPublisher<PublisherDeps> {
  constructor(context: PublisherContext) {
    const deps = publisherDeps(context);
    const { db, config, clock } = deps;
    const { leases, wakeups } = context;
    const interval = config["publish-interval"];
    super({
      name: "service publisher",
      spans: "traces",
      deps,
      leadership: { name: publisherLease, ttlMs: leaseMs, leases },
      pollMs: Math.min(maxPollMs, interval),
      listen: (wake) => wakeups.on("service_edge", wake),
      prepare: () => ensureSource(db, config["data-source"]),
      publishAll,
      sweep: onceAMinute(clock, () => writeStatistics(deps)),
      sweepMs: 0,
      // However much is to be done: no sooner.
      pauseAfter: (_, { full }) => full ? 0 : interval,
    });
  }
}

/** Does work when a minute has begun since it was done last. */
function onceAMinute(clock: Pick<Clock, "now">, work: () => Promise<void>): () => Promise<void> {
  let last = 0;
  return async () => {
    const minute = Math.floor(clock.now() / 60_000);
    if (minute === last) return;
    await work();
    last = minute;
  };
}

/** The worker that puts services into the catalogue. */
export function publisherWorker(context: Context): Worker {
  const log = context.log.with({ worker: "service publisher" });
  return new ServicePublisher({ ...context, log, config: context.config.traces });
}
