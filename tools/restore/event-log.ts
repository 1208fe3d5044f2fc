import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { identityHeaders, identityOf } from "#contract/ingestion/frame.ts";
import {
  composedBatches,
  ingestionBatches,
  ingestionDeadLetters,
  topics,
} from "#contract/topics.ts";
import type { EventLog, LogRecord, NewRecord } from "#eventlog/port.ts";
import { recordOf } from "#platform/backup/copies.ts";
import { BackupError, type BackupReader, type Manifest } from "#platform/backup/manifest.ts";
import type { Context } from "#platform/context.ts";
import { unzipped } from "./metadata.ts";

/** Records and bytes of one publish. */
const limits = { records: 500, bytes: 4 * 1024 * 1024 };
const publishMs = 60_000;

/** Offsets of the records of one partition, in their order: in the backup, and in the restored log. */
export interface MovedOffsets {
  before: number[];
  after: number[];
  /** The offset that the next record gets. */
  end: number;
}

/** By topic and partition. */
export type OffsetMap = Map<string, Map<number, MovedOffsets>>;

/**
 * Creates the topics with the partitions that they had. Throws `BackupError` when they hold records and `overwrite` is
 * off, or have other partitions.
 */
export async function prepareLog(
  { events, config }: Pick<Context, "events" | "config">,
  manifest: Manifest,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  const configured = config["event-log"].kafka.partitions;
  const counts = new Map(manifest.log.map(({ topic, partitions }) => [topic, partitions.length]));
  // A topic that the backed-up instance had not created yet gets as many as the others, or as configured.
  const standard = Math.max(...counts.values()) || configured;
  const specs = topics(standard);
  await events.ensureTopics(
    specs.map((spec) => ({ ...spec, partitions: counts.get(spec.name) || standard })),
  );
  for (const copy of manifest.log) {
    const bounds = await events.bounds(copy.topic);
    const count = copy.partitions.length || bounds.length;
    if (bounds.length !== count) {
      throw new BackupError(
        `Topic ${copy.topic} has ${bounds.length} partitions, in the backup it has ${count}: ` +
          "delete the topics of this instance, then restore",
      );
    }
    if (overwrite || bounds.every(({ start, end }) => start === end)) continue;
    throw new BackupError(
      `Topic ${copy.topic} holds records: restore into an empty event log, or delete them with --overwrite`,
    );
  }
}

/** Publishes the records of the backup in place of others, each to its partition, in order; returns where they are now. */
export async function restoreLog(
  events: EventLog,
  manifest: Manifest,
  reader: BackupReader,
  positionPrefix: string,
): Promise<OffsetMap> {
  const moved: OffsetMap = new Map();
  for (const { topic, partitions } of manifest.log) {
    await events.truncate(topic);
    const ofTopic = new Map<number, MovedOffsets>();
    const bounds = new Map((await events.bounds(topic)).map((b) => [b.partition, b.end]));
    for (const { partition, file } of partitions) {
      const offsets = { before: [], after: [], end: bounds.get(partition) ?? 0 };
      if (file) {
        await publishFile({ events, topic, partition, positionPrefix }, reader, file, offsets);
      }
      ofTopic.set(partition, offsets);
    }
    moved.set(topic, ofTopic);
  }
  return moved;
}

interface Destination {
  events: EventLog;
  topic: string;
  partition: number;
  positionPrefix: string;
}

async function publishFile(
  to: Destination,
  reader: BackupReader,
  file: string,
  offsets: MovedOffsets,
): Promise<void> {
  const input = Readable.from(unzipped(reader, file));
  let waiting: LogRecord[] = [];
  let bytes = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const record = recordOf(line, to.topic, to.partition);
    waiting.push(record);
    bytes += record.value.byteLength;
    if (waiting.length < limits.records && bytes < limits.bytes) continue;
    await publish(to, waiting, offsets);
    [waiting, bytes] = [[], 0];
  }
  if (waiting.length > 0) await publish(to, waiting, offsets);
}

async function publish(
  { events, topic, partition, positionPrefix }: Destination,
  records: LogRecord[],
  offsets: MovedOffsets,
): Promise<void> {
  const restored = records.map((record): NewRecord => ({
    key: record.key,
    value: record.value,
    headers: headersOf(record, positionPrefix),
    partition,
  }));
  const positions = await events.publish(topic, restored, { timeoutMs: publishMs });
  for (const [at, { offset }] of positions.entries()) {
    offsets.before.push(records[at]!.offset);
    offsets.after.push(offset);
    offsets.end = offset + 1;
  }
}

const batchTopics: ReadonlySet<string> = new Set([
  ingestionBatches,
  composedBatches,
  ingestionDeadLetters,
]);

/** A batch keeps its identity and its time of receipt, so that it has no second effect and overwrites nothing newer. */
function headersOf(record: LogRecord, positionPrefix: string): Record<string, string> {
  if (!batchTopics.has(record.topic)) return record.headers;
  const identity = identityOf(record);
  const isPosition = namedByPosition.test(identity.batch);
  const batch = isPosition ? positionPrefix + identity.batch : identity.batch;
  return { ...record.headers, ...identityHeaders({ ...identity, batch }) };
}

/** Names of records that had none: their position in the log, which records of the restored log have too. */
const namedByPosition = /^[a-z.-]{1,60}\/\d{1,15}\/\d{1,15}$/;
