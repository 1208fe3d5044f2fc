import type { NewRecord, Position } from "#eventlog/port.ts";
import type { Gauge, Metrics } from "#kit/metrics.ts";

/** Maximum number of cached bytes of values; beyond it the oldest are evicted first. */
const maxOwnBytes = 32 * 1_048_576;

/** Smaller values are read as quickly as they would be found here. */
const minBytes = 4_096;

/** What was appended: the row that is read later must be that of the very record. */
export type OwnRecord = Pick<NewRecord, "key" | "headers" | "value">;

/** Records whose values need not be read. */
export interface CachedRange {
  /** `any`: those of other records may be here too. */
  readonly offsets: number[] | "any";
  get(offset: number): OwnRecord | undefined;
}

interface Entry {
  values: PartitionValues;
  offset: number;
  record: OwnRecord;
  bytes: number;
}

/**
 * Values that this process has appended itself, for its own consumers: PostgreSQL need not send them back, which costs
 * both sides more than all else of a delivery. Only values are stored: whether a record exists, and where, is read from
 * the table. What is not here is read there.
 */
export class OwnValues {
  readonly #partitions = new Map<string, PartitionValues>();
  /** Oldest first. */
  readonly #entries = new Set<Entry>();
  readonly #gauge: Gauge;
  #bytes = 0;

  constructor(metrics: Metrics, private readonly max: number = maxOwnBytes) {
    this.#gauge = metrics.gauge(
      "tributary_log_own_values_bytes",
      "Bytes of records that this process appended to the embedded log and caches for its own consumers",
    );
  }

  /** To be called by the consumer of a partition; until then, and once it is closed, nothing of it is cached. */
  open(topic: string, partition: number, committed: number): PartitionValues {
    const key = keyOf(topic, partition);
    const closed = (values: PartitionValues) => {
      if (this.#partitions.get(key) === values) this.#partitions.delete(key);
    };
    const range = new PartitionValues(committed, (entry) => this.#drop(entry), closed);
    this.#partitions.set(key, range);
    return range;
  }

  /** Announces an append; returns the function to call when it has finished or failed. */
  appending(topic: string, partitions: Iterable<number>): () => void {
    const affected = [...new Set(partitions)].flatMap((partition) =>
      this.#partitions.get(keyOf(topic, partition)) ?? []
    );
    for (const values of affected) values.awaited++;
    return () => {
      for (const values of affected) values.awaited--;
    };
  }

  /** Keeps what was appended; the bytes of its values must not change any more. */
  keep(records: OwnRecord[], positions: Position[]): void {
    records.forEach((record, at) => {
      const { topic, partition, offset } = positions[at]!;
      const values = this.#partitions.get(keyOf(topic, partition));
      if (!values || offset < values.committed || record.value.byteLength < minBytes) return;
      const value = ownBytes(record.value);
      const bytes = value.buffer.byteLength;
      if (bytes > this.max) return;
      const entry = { values, offset, record: { ...record, value }, bytes };
      this.#entries.add(entry);
      values.entries.set(offset, entry);
      this.#count(bytes);
      for (const oldest of this.#entries) {
        if (this.#bytes <= this.max) break;
        oldest.values.drop(oldest.offset);
      }
    });
  }

  #drop(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#count(-entry.bytes);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#gauge.set({}, this.#bytes);
  }
}

/** Values of one partition, while it is consumed here. */
export class PartitionValues implements CachedRange {
  readonly entries = new Map<number, Entry>();
  /** Appends that are under way: their records may be read before PostgreSQL has returned their offsets. */
  awaited = 0;

  constructor(
    public committed: number,
    private readonly dropped: (entry: Entry) => void,
    private readonly closed: (values: PartitionValues) => void,
  ) {}

  get offsets(): number[] | "any" {
    return this.awaited > 0 ? "any" : [...this.entries.keys()];
  }

  /** The delivery drops the record, since a handler may transfer the bytes it gets. */
  get(offset: number): OwnRecord | undefined {
    return this.entries.get(offset)?.record;
  }

  /** Drops what is done; what is appended late below `committed` will not be stored. */
  forget(committed: number): void {
    this.committed = committed;
    for (const offset of this.entries.keys()) if (offset < committed) this.drop(offset);
  }

  drop(offset: number): void {
    const entry = this.entries.get(offset);
    if (!entry) return;
    this.entries.delete(offset);
    this.dropped(entry);
  }

  close(): void {
    this.closed(this);
    for (const offset of this.entries.keys()) this.drop(offset);
  }
}

const keyOf = (topic: string, partition: number) => `${partition} ${topic}`;

/** Maximum number of bytes of a buffer for each byte of a value that keeps it alive. */
const slack = 4;

/** The bytes as a plain array, which is what a read gives; copied if they are a small part of a buffer. */
function ownBytes(value: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = value;
  if (buffer.byteLength > slack * byteLength) return new Uint8Array(value);
  return new Uint8Array(buffer, byteOffset, byteLength);
}
