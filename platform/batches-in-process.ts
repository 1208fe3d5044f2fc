import { Buffer } from "node:buffer";
import type { Metrics } from "#kit/metrics.ts";

/**
 * Counts the batches that collectors wait for in this process, so that what comes in floods can leave them the
 * processors.
 */
export class BatchesInFlight {
  #count = 0;

  /** Whether a collector waits. */
  get any(): boolean {
    return this.#count > 0;
  }

  /** Runs `work`, which takes in a batch and ends when its collector is answered. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
    }
  }
}

/** What was read of one chunk of a batch. */
export interface ReadChunk {
  sourceCatrn: string;
  /** Number of its items, and how many of them do not fit their type. */
  itemCount: number;
  typeMismatches: number;
  /** Its drafts as a text, for `draftsFrom`. */
  drafts: string;
}

/** Maximum number of cached bytes; what is published beyond them is read again. */
export const maxCachedBytes = 64 * 1_048_576;

interface CachedChunk {
  body: Uint8Array;
  read: ReadChunk;
}

/**
 * What this process has read and found valid of the batches that it publishes, for the consumer in the same process:
 * so it need not read the records again. A cached chunk was read from exactly the bytes of the consumer, no matter who
 * wrote them to the log. The posting request also evicts it when it ends; the log has everything.
 */
export class ReadChunkCache {
  readonly #chunks = new Map<string, Map<number, CachedChunk>>();
  readonly #gauge;
  #bytes = 0;
  #wanted = false;

  constructor(metrics: Metrics) {
    this.#gauge = metrics.gauge(
      "tributary_ingestion_read_parts_bytes",
      "Bytes of published batches and their parsed chunks cached for the consumer in this process",
    );
  }

  /** Called by a consumer in this process; without one nothing is stored. */
  want(): void {
    this.#wanted = true;
  }

  /** Whether it is worth while to pack what is read. */
  get open(): boolean {
    return this.#wanted && this.#bytes < maxCachedBytes;
  }

  keep(batch: string, part: number, body: Uint8Array, read: ReadChunk): void {
    const size = body.length + read.drafts.length;
    if (!this.#wanted || this.#bytes + size > maxCachedBytes) return;
    const chunks = this.#chunks.get(batch) ?? new Map<number, CachedChunk>();
    this.#chunks.set(batch, chunks.set(part, { body, read }));
    this.#count(size);
  }

  /** What was read of these bytes, at most once. */
  take(batch: string, part: number, body: Uint8Array): ReadChunk | undefined {
    const chunk = this.#chunks.get(batch)?.get(part);
    if (!chunk || !equal(chunk.body, body)) return undefined;
    this.#drop(batch, part, chunk);
    return chunk.read;
  }

  /** To be called when nobody waits for the batch any more. */
  forget(batch: string): void {
    for (const [part, chunk] of this.#chunks.get(batch) ?? []) this.#drop(batch, part, chunk);
  }

  #drop(batch: string, part: number, { body, read }: CachedChunk): void {
    const chunks = this.#chunks.get(batch)!;
    chunks.delete(part);
    if (chunks.size === 0) this.#chunks.delete(batch);
    this.#count(-body.length - read.drafts.length);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#gauge.set({}, this.#bytes);
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || Buffer.compare(a, b) === 0;
}
