import { Buffer } from "node:buffer";
import type { Metrics } from "#kit/metrics.ts";

/** What was read of one part of a batch. */
export interface ReadPart {
  sourceCatrn: string;
  /** Number of its items, and how many of them do not fit their type. */
  items: number;
  misfits: number;
  /** Its drafts as a text, for `draftsFrom`. */
  drafts: string;
}

/** Most bytes that are held; what is published beyond them is read again. */
export const maxHeldBytes = 64 * 1_048_576;

interface Held {
  body: Uint8Array;
  read: ReadPart;
}

/**
 * What this process has read and found valid of the batches that it publishes, for the consumer in the same process:
 * so it need not read the records again. What is taken was read from the very bytes that the consumer has, whoever
 * wrote them to the log. Whoever posts also forgets, when the request ends, and everything is there in the log.
 */
export class ReadParts {
  readonly #held = new Map<string, Map<number, Held>>();
  readonly #gauge;
  #bytes = 0;
  #wanted = false;

  constructor(metrics: Metrics) {
    this.#gauge = metrics.gauge(
      "tributary_ingestion_read_parts_bytes",
      "Bytes of published batches, and of what was read of them, held for the consumer in this process",
    );
  }

  /** Called by a consumer in this process; without one nothing is kept. */
  want(): void {
    this.#wanted = true;
  }

  /** Whether it is worth while to pack what is read. */
  get open(): boolean {
    return this.#wanted && this.#bytes < maxHeldBytes;
  }

  keep(batch: string, part: number, body: Uint8Array, read: ReadPart): void {
    const size = body.length + read.drafts.length;
    if (!this.#wanted || this.#bytes + size > maxHeldBytes) return;
    const parts = this.#held.get(batch) ?? new Map<number, Held>();
    this.#held.set(batch, parts.set(part, { body, read }));
    this.#count(size);
  }

  /** What was read of these bytes, at most once. */
  take(batch: string, part: number, body: Uint8Array): ReadPart | undefined {
    const held = this.#held.get(batch)?.get(part);
    if (!held || !equal(held.body, body)) return undefined;
    this.#drop(batch, part, held);
    return held.read;
  }

  /** To be called when nobody waits for the batch any more. */
  forget(batch: string): void {
    for (const [part, held] of this.#held.get(batch) ?? []) this.#drop(batch, part, held);
  }

  #drop(batch: string, part: number, { body, read }: Held): void {
    const parts = this.#held.get(batch)!;
    parts.delete(part);
    if (parts.size === 0) this.#held.delete(batch);
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
