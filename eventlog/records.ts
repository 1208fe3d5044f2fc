import { Buffer } from "node:buffer";
import type { NewRecord, Position } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";

/** What an adapter must know about a topic before it can publish. */
export interface TopicInfo {
  partitions: number;
  /** Infinity when only the engine knows the limit. */
  maxRecordBytes: number;
}

/** A record with the partition that was chosen for it. */
export type PartitionedRecord = NewRecord & { partition: number; bytes: number };

/** Size of a record as its topic's limit counts it: key, headers and value, bytes. */
export function recordBytes(record: NewRecord): number {
  let bytes = record.value.byteLength + Buffer.byteLength(record.key ?? "");
  for (const [name, value] of Object.entries(record.headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  return bytes;
}

/** Chooses partitions; throws `PermanentError("record_too_large")` before anything is sent. */
export function place(
  topic: string,
  records: NewRecord[],
  info: TopicInfo,
  spread: Spread,
): PartitionedRecord[] {
  return records.map((record) => {
    const bytes = recordBytes(record);
    if (bytes > info.maxRecordBytes) throw tooLarge(topic, bytes, info.maxRecordBytes);
    const partition = record.partition ??
      (record.key === null
        ? spread.next(info.partitions)
        : partitionOf(record.key, info.partitions));
    if (partition < 0 || partition >= info.partitions) {
      throw new RangeError(`topic ${topic} has no partition ${partition}`);
    }
    return { ...record, partition, bytes };
  });
}

function tooLarge(topic: string, bytes: number, limit: number): PermanentError {
  return new PermanentError(
    "record_too_large",
    `A record of ${bytes} bytes is over the limit of topic ${topic}, ${limit} bytes`,
  );
}

/** Splits records into batches of at most `maxRecords` and `maxBytes`; one larger record is a batch by itself. */
export function recordBatches<T extends { bytes: number }>(
  records: T[],
  bounds: { maxRecords: number; maxBytes: number },
): T[][] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const record of records) {
    const batch = batches.at(-1);
    bytes += record.bytes;
    if (batch && batch.length < bounds.maxRecords && bytes <= bounds.maxBytes) batch.push(record);
    else {
      batches.push([record]);
      bytes = record.bytes;
    }
  }
  return batches;
}

/** Positions of records that were appended in order, from the first offset of each partition. */
export function positions(
  topic: string,
  records: PartitionedRecord[],
  firstOffsets: Map<number, number>,
): Position[] {
  const next = new Map(firstOffsets);
  return records.map(({ partition }) => {
    const offset = next.get(partition);
    if (offset === undefined) throw new Error(`topic ${topic} did not store to ${partition}`);
    next.set(partition, offset + 1);
    return { topic, partition, offset };
  });
}

/** Assigns partitions in turn to records without a key. */
export class Spread {
  #next = Math.floor(Math.random() * 1_000);

  next(partitions: number): number {
    this.#next = (this.#next + 1) % 0x7fffffff;
    return this.#next % partitions;
  }
}

const utf8 = new TextEncoder();

/**
 * The partition of a key: murmur2 of its UTF-8 bytes, as Kafka's clients compute it, so that all engines, and
 * collectors in other languages, choose the same partition.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(utf8.encode(key)) & 0x7fffffff) % partitions;
}

const seed = 0x9747b28c;
const m = 0x5bd1e995;

/** MurmurHash2, 32 bits, with Kafka's seed (`org.apache.kafka.common.utils.Utils.murmur2`). */
export function murmur2(data: Uint8Array): number {
  const length = data.length;
  let h = seed ^ length;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    let k = data[i]! | data[i + 1]! << 8 | data[i + 2]! << 16 | data[i + 3]! << 24;
    k = Math.imul(k, m);
    k ^= k >>> 24;
    h = Math.imul(h, m) ^ Math.imul(k, m);
  }
  const rest = length - i;
  if (rest >= 3) h ^= data[i + 2]! << 16;
  if (rest >= 2) h ^= data[i + 1]! << 8;
  if (rest >= 1) h = Math.imul(h ^ data[i]!, m);
  h ^= h >>> 13;
  h = Math.imul(h, m);
  return h ^ h >>> 15;
}

/** The partition went to another consumer, or the session ended: running work must not be marked done. */
export class PartitionLostError extends Error {
  constructor(topic: string, partition: number) {
    super(`partition ${partition} of ${topic} is no longer ours`);
    this.name = "PartitionLost";
  }
}
