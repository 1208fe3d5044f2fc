import process from "node:process";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Database } from "#metadata/postgres/database.ts";
import { type LogTarget, openLog } from "#test/support/engines/logs.ts";
import { consumerWorkers } from "../consumer.ts";
import { Pipeline } from "../pipeline.ts";

/** What the parent passes in `INGEST_CHILD`. */
export interface IngestChildOptions {
  target: LogTarget;
  url: string;
}

// Runs the consumer in its own process, so that a test can kill it while it works.
const { target, url }: IngestChildOptions = JSON.parse(process.env.INGEST_CHILD!);
const events = openLog(target);
const pipeline = new Pipeline({
  db: new Database({ url, max: 8, statementTimeoutMs: 30_000, applicationName: "ingest child" }),
  log: silentLogger,
  metrics: noMetrics,
  maxBodyBytes: 20 * 1024 * 1024,
  deadLetter: () => Promise.reject(new Error("nothing is refused here")),
});
for (const worker of consumerWorkers(events, pipeline)) {
  await worker.start((error) => {
    console.error(error);
    process.exit(1);
  });
}
