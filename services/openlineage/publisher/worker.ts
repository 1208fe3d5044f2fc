import { queueWork } from "#platform/composed-source/queue.ts";
import { ComposedPublisher } from "#platform/composed-source/worker.ts";
import { publishDatasets } from "./datasets.ts";
import type { PublisherDeps } from "./deps.ts";
import { publishJobs } from "./jobs.ts";
import { publishRuns } from "./runs.ts";
import { sweep } from "./sweep.ts";

/** The worker that maps what events changed, and posts it. */
export class LineagePublisher extends ComposedPublisher<PublisherDeps> {
  constructor(deps: PublisherDeps) {
    super({
      name: "OpenLineage composer",
      spans: "openlineage",
      ...queueWork(deps, publishAll),
      sweep: () => sweep(deps),
      pauseAfter: (tookMs, options) => deps.throttle.pauseAfter(tookMs, options),
    });
  }
}

/**
 * Composes datasets, then jobs, which name them, then runs, one round of each; how many rows were taken.
 */
export async function publishAll(
  deps: PublisherDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let taken = 0;
  for (const publish of [publishDatasets, publishJobs, publishRuns]) {
    if (signal.aborted) return taken;
    await deps.backpressure.waitForCapacity(signal);
    taken += (await publish(deps)).taken;
  }
  return taken;
}
