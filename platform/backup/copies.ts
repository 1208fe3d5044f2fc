import { Buffer } from "node:buffer";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { z } from "zod";
import { ingestionDeadLetters, openlineageDeadLetters, tracesSpans } from "#contract/topics.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { handledOf } from "#eventlog/postgres/queries.ts";
import { copyOut, named } from "#metadata/postgres/copy.ts";
import type { Database } from "#metadata/postgres/database.ts";
import * as sql from "#metadata/schema/copies.queries.ts";
import type {
  BackupFile,
  BackupWriter,
  PartitionCopy,
  SequenceValue,
  TableCopy,
  TopicCopy,
} from "#platform/backup/manifest.ts";
import { groups } from "#platform/ops/lag.ts";

/**
 * Tables whose rows are not copied: the event log is copied as records; sessions end, so that nobody is signed in by an
 * old copy; a cursor of `change` counts transactions of this server; the schema's own notes are written by migrations; figures
 * of the last day are of the other machine; timelines and positions are of the other servers.
 */
const excludedTables: ReadonlySet<string> = new Set([
  ...["log_topic", "log_partition", "log_record", "log_group", "log_member", "log_claim"],
  ...["dead_letter_handled", "change", "session"],
  ...["ops_sample", "slow_statement", "server_history", "log_position"],
  ...["schema_function", "restore_in_progress", "projection_status", "graph_verification"],
]);

export interface SchemaCopy {
  tables: TableCopy[];
  sequences: SequenceValue[];
  files: BackupFile[];
}

/** Copies the tables of a schema, in the transaction that the client is in; sequences last, so that none is behind. */
export async function copySchema(
  client: pg.Client,
  schema: string,
  writer: BackupWriter,
  folder: string,
): Promise<SchemaCopy> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(sql.tables, [schema]);
  const copy: SchemaCopy = { tables: [], sequences: [], files: [] };
  for (const [at, { table, columns }] of rows.entries()) {
    if (excludedTables.has(table)) continue;
    // Names of lookup tables need not be safe in paths.
    const name = /^[a-z0-9_]+$/.test(table) ? table : `table-${at}`;
    const file = `${folder}/${name}.copy.gz`;
    copy.files.push(
      await writer.write(file, zipped(copyOut(client, { schema, table, columns }))),
    );
    copy.tables.push({ table, columns, file });
  }
  const found = await client.query<{ name: string }>(sql.sequences, [schema]);
  for (const { name } of found.rows) {
    const { rows: [row] } = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${
        named({ schema, table: name })
      }`,
    );
    copy.sequences.push({ name, ...row! });
  }
  return copy;
}

/** The bytes of a source, compressed; fails when the source does. */
async function* zipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 1 });
  const fed = pipeline(source, gzip, { end: true });
  // Reported below, when the reader has taken what came before.
  fed.catch(() => {});
  yield* gzip;
  await fed;
}

/** A record of the log on a line of its own. */
const StoredRecord = z.object({
  offset: z.int().min(0),
  timestamp: z.int().min(0),
  key: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  /** Base64. */
  value: z.base64(),
});

/** From where each partition of each topic is copied, by topic and partition. */
export type StartOffsets = Map<string, Map<number, number>>;

/**
 * The offsets before which everything had its effect. To be read before the snapshot of the metadata: what is applied
 * in between is copied as well, and has no second effect.
 */
export async function readStartOffsets(events: EventLog): Promise<StartOffsets> {
  const starts: StartOffsets = new Map();
  for (const { group, topic } of groups) {
    const lags = await events.lag(group, topic);
    starts.set(topic, new Map(lags.map(({ partition, committed }) => [partition, committed])));
  }
  for (const topic of [ingestionDeadLetters, openlineageDeadLetters]) {
    const bounds = await events.bounds(topic);
    starts.set(topic, new Map(bounds.map(({ partition, start }) => [partition, start])));
  }
  return starts;
}

/** The earliest records that the pairing of spans reads again, by partition: they are copied as well. */
export function includeReplay(starts: StartOffsets, replay: Map<number, number>): void {
  const spans = starts.get(tracesSpans);
  if (!spans) return;
  for (const [partition, offset] of replay) {
    const start = spans.get(partition);
    if (start !== undefined) spans.set(partition, Math.min(start, offset));
  }
}

/** Copies each partition from its start to the end that it has now. To be called after the snapshot of the metadata. */
export async function copyLog(
  { events, db }: { events: EventLog; db: Database },
  starts: StartOffsets,
  writer: BackupWriter,
): Promise<{ topics: TopicCopy[]; files: BackupFile[] }> {
  const topics: TopicCopy[] = [];
  const files: BackupFile[] = [];
  for (const [topic, partitions] of starts) {
    const copied: PartitionCopy[] = [];
    for (const { partition, start, end } of await events.bounds(topic)) {
      const from = Math.max(start, partitions.get(partition) ?? start);
      const range = { topic, partition, from: Math.min(from, end), to: end };
      const copy = { partition, from: range.from, to: end, records: 0 };
      if (range.from === end) {
        copied.push(copy);
        continue;
      }
      const name = `log/${topic}-${partition}.jsonl.gz`;
      const counted = { records: 0 };
      files.push(await writer.write(name, zipped(linesOf({ events, db }, range, counted))));
      copied.push({ ...copy, ...counted, file: name });
    }
    topics.push({ topic, partitions: copied });
  }
  return { topics, files };
}

interface Range {
  topic: string;
  partition: number;
  from: number;
  to: number;
}

/** Records of one read. */
const recordsPerRead = 500;

async function* linesOf(
  { events, db }: { events: EventLog; db: Database },
  { topic, partition, from, to }: Range,
  counted: { records: number },
): AsyncGenerator<Uint8Array> {
  for (let next = from; next < to;) {
    const records = await events.read(topic, { partition, from: next, to, limit: recordsPerRead });
    const last = records.at(-1);
    if (!last) return;
    const handled = topic === ingestionDeadLetters
      ? await handledOf(db, partition, records.map(({ offset }) => offset))
      : new Set<number>();
    for (const record of records) {
      if (handled.has(record.offset)) continue;
      counted.records++;
      yield Buffer.from(`${lineOf(record)}\n`);
    }
    next = last.offset + 1;
  }
}

function lineOf({ offset, timestamp, key, headers, value }: LogRecord): string {
  const base64 = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  const stored: z.output<typeof StoredRecord> = { offset, timestamp, key, headers, value: base64 };
  return JSON.stringify(stored);
}

/** The record of a line that `copyLog` wrote. */
export function recordOf(line: string, topic: string, partition: number): LogRecord {
  const { value, ...stored } = StoredRecord.parse(JSON.parse(line));
  return { topic, partition, ...stored, value: Buffer.from(value, "base64") };
}
