import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { connectors } from "./connectors/all.ts";
import { type CollectorDeps, CollectorMetrics } from "./deps.ts";
import { CollectorWorker } from "./worker.ts";

/** Milliseconds for which a run waits for the outcome of its batches. */
const outcomeWaitMs = 15_000;

/** Reads sources by itself, as connections say, and publishes what it finds as batches of ingestion. */
export const collectorService: Service = {
  name: "collector",
  create: (context) => ({ routes: [], workers: [new CollectorWorker(collectorDeps(context))] }),
};

function collectorDeps(context: Context): CollectorDeps {
  const log = context.log.with({ service: "collector" });
  return {
    ...context,
    log,
    metrics: new CollectorMetrics(context.metrics),
    connectors,
    outcomeWaitMs,
  };
}
