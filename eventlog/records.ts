import { Buffer } from "node:buffer";
import { PermanentError } from "#kit/errors.ts";
import { partitionOf, type Spread } from "#eventlog/partitioner.ts";
import type { NewRecord, Position } from "#eventlog/port.ts";

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

export function tooLarge(topic: string, bytes: number, limit: number): PermanentError {
  return new PermanentError(
    "record_too_large",
    `A record of ${bytes} bytes is over the limit of topic ${topic}, ${limit} bytes`,
  );
}

/** Splits records into runs of at most `maxRecords` and `maxBytes`; one larger record is a run by itself. */
export function runs<T extends { bytes: number }>(
  records: T[],
  bounds: { maxRecords: number; maxBytes: number },
): T[][] {
  const all: T[][] = [];
  let bytes = 0;
  for (const record of records) {
    const run = all.at(-1);
    bytes += record.bytes;
    if (run && run.length < bounds.maxRecords && bytes <= bounds.maxBytes) run.push(record);
    else {
      all.push([record]);
      bytes = record.bytes;
    }
  }
  return all;
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

/** The partition went to another consumer, or the session ended: running work must not be marked done. */
export class PartitionLostError extends Error {
  constructor(topic: string, partition: number) {
    super(`partition ${partition} of ${topic} is no longer ours`);
    this.name = "PartitionLost";
  }
}
