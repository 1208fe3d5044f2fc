import type { LogRecord } from "#eventlog/port.ts";
import { recordBytes } from "#eventlog/records.ts";

interface Bounds {
  maxRecords: number;
  maxBytes: number;
}

/** The records of one partition that a handler has in hand, in order, and how many more it may be given. */
export class InHand {
  readonly #held: { offset: number; bytes: number }[] = [];
  #bytes = 0;

  constructor(private readonly bounds: Bounds) {}

  /** Offset of the first record that is not done; null when there is none. */
  get first(): number | null {
    return this.#held[0]?.offset ?? null;
  }

  /** Offset of the last record; null when all are done. */
  get last(): number | null {
    return this.#held.at(-1)?.offset ?? null;
  }

  /** What may be added; null when there is no room. */
  get room(): Bounds | null {
    const maxRecords = this.bounds.maxRecords - this.#held.length;
    const maxBytes = this.bounds.maxBytes - this.#bytes;
    return maxRecords > 0 && maxBytes > 0 ? { maxRecords, maxBytes } : null;
  }

  add(records: LogRecord[]): void {
    for (const record of records) {
      const bytes = recordBytes(record);
      this.#held.push({ offset: record.offset, bytes });
      this.#bytes += bytes;
    }
  }

  /** Forgets the records up to and including `offset`; returns how many. */
  done(offset: number): number {
    const left = this.#held.findIndex((held) => held.offset > offset);
    const gone = this.#held.splice(0, left < 0 ? this.#held.length : left);
    for (const { bytes } of gone) this.#bytes -= bytes;
    return gone.length;
  }

  /** Forgets all. */
  clear(): void {
    this.#held.length = this.#bytes = 0;
  }
}
