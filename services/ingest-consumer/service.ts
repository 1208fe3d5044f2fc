import { deadLetter } from "#eventlog/dead-letters.ts";
import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { consumerWorker } from "./consumer.ts";
import { Pipeline } from "./pipeline.ts";
import { projectorWorkers } from "./projector/workers.ts";

/** Takes batches from the log into the catalogue, and the catalogue's lineage into the graph. */
export const ingestConsumerService: Service = {
  name: "ingest-consumer",
  create(context) {
    const consumer = consumerWorker(context.events, pipelineOf(context));
    return { routes: [], workers: [...projectorWorkers(context), consumer] };
  },
};

function pipelineOf({ db, metrics, clock, config, events, ...context }: Context): Pipeline {
  const log = context.log.with({ service: "ingest-consumer" });
  return new Pipeline({
    db,
    log,
    metrics,
    clock,
    maxBodyBytes: config.ingestion["max-body-size"],
    deadLetter: async (letter) => void await deadLetter({ events, log, metrics }, letter),
  });
}
