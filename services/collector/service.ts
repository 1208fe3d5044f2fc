import type { Service } from "#platform/service.ts";
import { connectors } from "./connectors/all.ts";
import { collectorMetrics } from "./deps.ts";
import { CollectorWorker } from "./worker.ts";

/** Milliseconds for which a run waits for the outcome of its batches. */
const outcomeWaitMs = 15_000;

/** Reads sources by itself, as connections say, and publishes what it finds as batches of ingestion. */
export const collectorService: Service = {
  name: "collector",
  create(context) {
    const log = context.log.with({ service: "collector" });
    const metrics = collectorMetrics(context.metrics);
    const deps = { ...context, log, metrics, connectors, outcomeWaitMs };
    return { routes: [], workers: [new CollectorWorker(deps)] };
  },
};
