import { deadLetter } from "#eventlog/dead-letters.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import type { Service } from "#platform/service.ts";
import { consumerWorkers } from "./consumer.ts";
import { Pipeline } from "./pipeline.ts";
import { projectorWorkers } from "./projector/projector.ts";
import { RecordReader } from "./reader.ts";
import { SqlLineageMetrics, SqlLineageWorker } from "./sql-lineage/worker.ts";
import { SqlReader } from "./sql-lineage/reader.ts";

/** Writes batches from the log into the catalogue, and the catalogue's lineage into the graph. */
export const ingestConsumerService: Service = {
  name: "ingest-consumer",
  create(context) {
    const reader = new RecordReader(context.metrics, context.readChunks);
    const sqlLineage = sqlLineageWorker(context);
    const pipeline = pipelineOf(context, reader, (ids) => sqlLineage.hint(ids));
    const consumers = consumerWorkers(context.events, pipeline);
    const workers = [...projectorWorkers(context), sqlLineage, ...endingWith(reader, consumers)];
    return { routes: [], workers };
  },
};

/** The consumers; stopping the last of them also ends the reader's thread. */
function endingWith(reader: RecordReader, consumers: Worker[]): Worker[] {
  const running = new Set<Worker>();
  return consumers.map((consumer) => ({
    name: consumer.name,
    start: (onCrash) => (running.add(consumer), consumer.start(onCrash)),
    stop: () =>
      consumer.stop().finally(() => {
        running.delete(consumer);
        if (running.size === 0) reader.stop();
      }),
    health: () => consumer.health(),
  }));
}

function sqlLineageWorker({ config, db, clock, metrics, ...context }: Context): SqlLineageWorker {
  return new SqlLineageWorker({
    enabled: config.lineage.columns["from-sql"],
    db,
    clock,
    log: context.log.with({ service: "ingest-consumer" }),
    reader: new SqlReader({ metrics }),
    metrics: new SqlLineageMetrics(metrics),
  });
}

function pipelineOf(
  { db, metrics, clock, config, events, ...context }: Context,
  reader: RecordReader,
  touched: (ids: number[]) => void,
): Pipeline {
  const log = context.log.with({ service: "ingest-consumer" });
  return new Pipeline({
    db,
    log,
    metrics,
    clock,
    restricted: config.auth.ingestion.filter.enabled,
    maxBodyBytes: config.ingestion["max-body-size"],
    reader,
    touched,
    deadLetter: async (rejected) => void await deadLetter({ events, log, metrics }, rejected),
  });
}
