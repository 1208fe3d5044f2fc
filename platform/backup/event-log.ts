import { Buffer } from "node:buffer";
import { z } from "zod";
import { ingestionDeadLetters, openlineageDeadLetters, tracesSpans } from "#contract/topics.ts";
import { handledOf } from "#eventlog/postgres/handled.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { BackupFile, PartitionCopy, TopicCopy } from "#platform/backup/manifest.ts";
import type { BackupWriter } from "#platform/backup/port.ts";
import { zipped } from "#platform/backup/tables.ts";
import { groups } from "#platform/ops/lag.ts";

/** Records of one read. */
const page = 500;

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

async function* linesOf(
  { events, db }: { events: EventLog; db: Database },
  { topic, partition, from, to }: Range,
  counted: { records: number },
): AsyncGenerator<Uint8Array> {
  for (let next = from; next < to;) {
    const records = await events.read(topic, { partition, from: next, to, limit: page });
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

/** The earliest records that the pairing of spans reads again, by partition: they are copied as well. */
export function includeReplay(starts: StartOffsets, replay: Map<number, number>): void {
  const spans = starts.get(tracesSpans);
  if (!spans) return;
  for (const [partition, offset] of replay) {
    const start = spans.get(partition);
    if (start !== undefined) spans.set(partition, Math.min(start, offset));
  }
}
