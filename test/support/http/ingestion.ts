import { memoryCache } from "#cache/memory.ts";
import { batchHeaders } from "#contract/ingestion/frame.ts";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import type { LineageGraph } from "#graph/port.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Route } from "#platform/operations/declare.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import type { TestDatabase } from "#test/support/engines/database.ts";

export interface TestIngestionOptions {
  projection?: "inline" | "projected";
  /** The `ingestion` part of the configuration. */
  ingestion?: object;
  /** The `auth` part of the configuration. */
  auth?: object;
  /** Who may call; by default everyone may. */
  access?: (context: Context) => AccessControl;
  open: (context: Context) => { routes: Route[]; stop(): void };
}

/** An API that takes batches in, over an event log that keeps what it is given. */
export interface TestIngestion {
  api: TestApi;
  context: Context;
  published: NewRecord[];
  /** Called with what is published; stands for the consumer, or for a log that fails. */
  onPublish: (records: NewRecord[]) => Promise<void>;
  stop(): void;
  close(): Promise<void>;
}

export function openTestIngestion(
  test: TestDatabase,
  options: TestIngestionOptions,
): TestIngestion {
  const published: NewRecord[] = [];
  const events = {
    publish: async (_topic: string, records: NewRecord[]) => {
      await intake.onPublish(records);
      published.push(...records);
      return [];
    },
  };
  const context = testContext(test, {
    config: Config.parse({
      instance: test.name,
      ingestion: options.ingestion ?? {},
      auth: options.auth ?? {},
    }),
    cache: memoryCache({ metrics: noMetrics }),
    graph: { projection: options.projection ?? "inline" } as LineageGraph,
    events: events as unknown as EventLog,
  });
  const feature = options.open(context);
  const intake: TestIngestion = {
    api: testApi(feature.routes, context, { access: options.access?.(context) }),
    context,
    published,
    onPublish: () => Promise.resolve(),
    stop: () => feature.stop(),
    async close() {
      feature.stop();
      await context.wakeups.close();
    },
  };
  return intake;
}

/** Records how a chunk ended, as the consumer does when it commits. */
export async function settle(
  test: TestDatabase,
  record: NewRecord,
  outcome: "applied" | "refused",
  position: number,
  detail: object | null = null,
): Promise<void> {
  await test.db.query(
    `WITH made AS (INSERT INTO applied_batch (batch, part, outcome, position, detail)
       VALUES ($1, $2, $3, $4, $5) RETURNING batch)
     SELECT pg_notify('applied_batch', batch) FROM made`,
    [
      record.headers[batchHeaders.batch],
      record.headers[batchHeaders.part],
      outcome,
      position,
      detail,
    ],
  );
}

/** A consumer that applies every chunk, at this position. */
export function applyingAt(test: TestDatabase, position: number) {
  return async (records: NewRecord[]) => {
    for (const record of records) await settle(test, record, "applied", position);
  };
}
