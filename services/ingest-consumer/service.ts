import { deadLetter } from "#eventlog/dead-letters.ts";
import type { Worker } from "#kit/worker.ts";
import type { Service } from "#platform/service.ts";
import { consumerWorkers } from "./consumer.ts";
import { Pipeline } from "./pipeline.ts";
import { projectorWorkers } from "./projector/projector.ts";
import { RecordReader } from "./reader.ts";
import { sqlLineageMetrics, SqlLineageWorker } from "./sql-lineage/worker.ts";
import { SqlReader } from "./sql-lineage/reader.ts";

/** Writes batches from the log into the catalogue, and the catalogue's lineage into the graph. */
export const ingestConsumerService: Service = {
  name: "ingest-consumer",
  create(context) {
    const { db, metrics, clock, config, events } = context;
    const log = context.log.with({ service: "ingest-consumer" });
    const reader = new RecordReader(metrics, context.readChunks);
    const sqlLineage = new SqlLineageWorker({
      enabled: config.lineage.columns["from-sql"],
      db,
      clock,
      log,
      reader: new SqlReader({ metrics }),
      metrics: sqlLineageMetrics(metrics),
    });
    const pipeline = new Pipeline({
      db,
      log,
      metrics,
      clock,
      restricted: config.auth.ingestion.filter.enabled,
      maxBodyBytes: config.ingestion["max-body-size"],
      reader,
      touched: (ids) => sqlLineage.hint(ids),
      deadLetter: async (rejected) => void await deadLetter({ events, log, metrics }, rejected),
    });
    const consumers = endingWith(reader, consumerWorkers(events, pipeline));
    return { routes: [], workers: [...projectorWorkers(context), sqlLineage, ...consumers] };
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
