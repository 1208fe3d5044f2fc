import { backoff } from "#kit/retry.ts";
import type { Logger } from "#kit/log.ts";
import type { BatchContext, LogRecord } from "#eventlog/port.ts";
import { recordBytes } from "#eventlog/records.ts";
import type { Metrics } from "#kit/metrics.ts";

interface Bounds {
  maxRecords: number;
  maxBytes: number;
}

/** The in-flight records of one partition, in order, and how many more the handler may receive. */
export class InFlightRecords {
  readonly #records: { offset: number; bytes: number }[] = [];
  #bytes = 0;

  constructor(private readonly bounds: Bounds) {}

  /** Offset of the first record that is not done; null when there is none. */
  get first(): number | null {
    return this.#records[0]?.offset ?? null;
  }

  /** Offset of the last record; null when all are done. */
  get last(): number | null {
    return this.#records.at(-1)?.offset ?? null;
  }

  /** What may be added; null when there is no room. */
  get capacity(): Bounds | null {
    const maxRecords = this.bounds.maxRecords - this.#records.length;
    const maxBytes = this.bounds.maxBytes - this.#bytes;
    return maxRecords > 0 && maxBytes > 0 ? { maxRecords, maxBytes } : null;
  }

  add(records: LogRecord[]): void {
    for (const record of records) {
      const bytes = recordBytes(record);
      this.#records.push({ offset: record.offset, bytes });
      this.#bytes += bytes;
    }
  }

  /** Forgets the records up to and including `offset`; returns how many. */
  done(offset: number): number {
    const left = this.#records.findIndex((record) => record.offset > offset);
    const gone = this.#records.splice(0, left < 0 ? this.#records.length : left);
    for (const { bytes } of gone) this.#bytes -= bytes;
    return gone.length;
  }

  /** Forgets all. */
  clear(): void {
    this.#records.length = this.#bytes = 0;
  }
}

/** What consumers of every engine report of their deliveries. */
export function deliveryReports(
  { log, metrics }: { log: Logger; metrics: Metrics },
  labels: { group: string; topic: string },
) {
  const names = Object.keys(labels);
  const failed = metrics.counter(
    "tributary_log_delivery_failures_total",
    "Deliveries whose handler failed",
    names,
  );
  const done = metrics.counter(
    "tributary_log_records_done_total",
    "Records that a consumer group has processed",
    names,
  );
  return {
    done: (records: number) => done.inc(labels, records),
    /** Reports a failure; returns the milliseconds after which the delivery is repeated. */
    failed(fields: { partition: number; offset?: number; failures: number }, error: unknown) {
      failed.inc(labels);
      const delay = backoff(fields.failures, { initial: 100, max: 10_000 });
      log.warn("delivery failed, will be repeated", { ...labels, ...fields, delay, error });
      return delay;
    },
  };
}

/** Milliseconds between two heartbeats. */
const heartbeatMs = 2_000;

/**
 * Sends heartbeats while `work` runs, so that the consumer keeps its partition; if it is lost anyway, the
 * next `done` throws.
 */
export async function alive<T>(
  context: Pick<BatchContext, "heartbeat">,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void context.heartbeat().catch(() => {}), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Maximum number of records whose failures are counted at once; in practice fewer fail at the same time. */
const maxCountedRecords = 1_000;

/** Counts how often each record failed for an unknown reason, over all its deliveries. */
export class FailureCounter {
  readonly #counts = new Map<string, number>();

  /** Counts one more failure of the record; returns how often it has failed so far. */
  count({ partition, offset }: { partition: number; offset: number }): number {
    const record = `${partition}/${offset}`;
    const count = (this.#counts.get(record) ?? 0) + 1;
    this.#counts.delete(record);
    this.#counts.set(record, count);
    if (this.#counts.size > maxCountedRecords) {
      this.#counts.delete(this.#counts.keys().next().value!);
    }
    return count;
  }
}
