import { frameHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import type { RejectedRecord } from "#eventlog/dead-letters.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { uuidv7 } from "#kit/ids.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { Pipeline, type PipelineOptions } from "../pipeline.ts";

export const source = "//warehouse";

/** A posted item, valid or not. */
export type Item = Record<string, unknown> & { catrn: string };

export interface PostOptions {
  source?: string;
  batch?: string;
  part?: number;
  receivedAt?: number;
}

/** A pipeline with its own database, and the dead letters that it wrote. */
export interface Harness extends TestDatabase {
  pipeline: Pipeline;
  deadLetters: RejectedRecord[];
  /** A pipeline whose transactions are started by the given function. */
  pipelineOver(transaction: Database["transaction"]): Pipeline;
  /** Posts items as one chunk of an HTTP batch; returns the outcome. */
  post(items: Item[], options?: PostOptions): Promise<string>;
  /** Rows of a query. */
  rows<R = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<R[]>;
  /** The single row of an entity. */
  entity(catrn: string): Promise<Record<string, unknown> & { id: number }>;
}

/** `touched` is called as by the service, after a chunk took effect. */
export async function harness(
  touched?: PipelineOptions["touched"],
  more: Partial<PipelineOptions> = {},
): Promise<Harness> {
  const database = await testDatabase(20);
  const { db } = database;
  const deadLetters: RejectedRecord[] = [];
  await db.query(
    "INSERT INTO data_source (catrn, name) VALUES ($1, 'warehouse'), ('//other', 'o')",
    [
      source,
    ],
  );
  const pipelineOn = (db: Database) =>
    new Pipeline({
      db,
      log: silentLogger,
      metrics: noMetrics,
      maxBodyBytes: 20 * 1024 * 1024,
      touched,
      ...more,
      deadLetter: (rejected) => Promise.resolve(void deadLetters.push(rejected)),
    });
  const pipeline = pipelineOn(db);
  const rows = <R>(text: string, ...values: unknown[]) =>
    db.query(text, values) as unknown as Promise<R[]>;
  return {
    ...database,
    pipeline,
    deadLetters,
    pipelineOver: (transaction) => pipelineOn(Object.assign(Object.create(db), { transaction })),
    rows,
    post: (items, options) => pipeline.process(httpRecord(items, options)),
    async entity(catrn) {
      const [row] = await rows<{ id: number }>("SELECT * FROM data_entity WHERE catrn = $1", catrn);
      if (!row) throw new Error(`no entity ${catrn}`);
      return row as Record<string, unknown> & { id: number };
    },
  };
}

let offset = 0;

/** A record as the API writes it. */
export function httpRecord(items: Item[], options: PostOptions = {}): LogRecord {
  const receivedAt = options.receivedAt ?? Date.now();
  return directRecord(
    { data_source_catrn: options.source ?? source, items },
    frameHeaders({
      batch: options.batch ?? uuidv7(receivedAt),
      part: options.part ?? 0,
      parts: 1,
      receivedAt,
    }),
  );
}

/** A record as a collector writes it directly: bytes, text, or a body to be serialised as JSON. */
export function directRecord(body: unknown, headers: Record<string, string> = {}): LogRecord {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    topic: ingestionBatches,
    partition: 0,
    offset: offset++,
    key: source,
    headers,
    timestamp: Date.now(),
    value: body instanceof Uint8Array ? body : new TextEncoder().encode(text),
  };
}

/** The record that replays a dead letter. */
export function replayOf(rejected: RejectedRecord): LogRecord {
  return { ...rejected.record, offset: offset++, timestamp: Date.now() };
}

/** Items of the usual kinds. */
export const table = (catrn: string, more: Record<string, unknown> = {}): Item => ({
  catrn,
  name: catrn.split("/").at(-1)!,
  type: "TABLE",
  dataset: { field_list: [] },
  ...more,
});
export const job = (catrn: string, inputs: string[], outputs: string[]): Item => ({
  catrn,
  name: catrn,
  type: "JOB",
  data_transformer: { inputs, outputs },
});
export const field = (catrn: string, more: Record<string, unknown> = {}) => ({
  catrn,
  name: catrn,
  type: { type: "TYPE_STRING", is_nullable: true },
  ...more,
});
