import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { consumerWorker } from "./consumer.ts";
import { Pipeline } from "./pipeline.ts";

/** Takes batches from the log into the catalogue. */
export const ingestConsumerService: Service = {
  name: "ingest-consumer",
  create(context) {
    return { routes: [], workers: [consumerWorker(context.events, pipelineOf(context))] };
  },
};

function pipelineOf({ db, log, metrics, clock, config, events }: Context): Pipeline {
  return new Pipeline({
    db,
    log: log.with({ service: "ingest-consumer" }),
    metrics,
    clock,
    maxBodyBytes: config.ingestion["max-body-size"],
    deadLetter: async (letter) => {
      const m = await import("#eventlog/" + "dead-letters.ts");
      await m.deadLetter(events, letter);
    },
  });
}
