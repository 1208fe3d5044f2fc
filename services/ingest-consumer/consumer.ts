import { trace } from "@opentelemetry/api";
import { batchHeaders, yieldsAt } from "#contract/ingestion/frame.ts";
import { composedBatches, ingestionBatches, ingestionGroup } from "#contract/topics.ts";
import { alive } from "#eventlog/in-flight.ts";
import { byKey, Semaphore } from "#eventlog/keyed-queue.ts";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import type { Worker } from "#kit/worker.ts";
import { originsOf, tracedWork } from "#platform/telemetry/trace-context.ts";
import type { Pipeline } from "./pipeline.ts";

const tracer = trace.getTracer("tributary.ingest");

/** Partitions that are read, and records that are processed, at a time, of each topic; fewer for low precedence. */
const concurrency = 4;
const lowPriorityConcurrency = 2;
/** How much of each partition is held in memory. */
const maxRecords = 64;
const maxBytes = 8 * 1024 * 1024;

/**
 * The workers that read batches from the log, chunk by chunk, in the order of each data source: those of collectors, and
 * those of low precedence.
 */
export function consumerWorkers(events: EventLog, pipeline: Pipeline): Worker[] {
  const scheduler = new LowPriorityScheduler(systemClock);
  const reading = (topic: string, atATime: number) => {
    const semaphore = new Semaphore(atATime);
    return events.consumer({
      group: ingestionGroup,
      topic,
      maxRecords,
      maxBytes,
      concurrency: atATime,
      handler: byKey((record, context) => {
        const work = () => traced(record, () => pipeline.process(record));
        return alive(context, () => scheduler.run(isLowPriority(record), work));
      }, semaphore),
    });
  };
  return [reading(ingestionBatches, concurrency), reading(composedBatches, lowPriorityConcurrency)];
}

function isLowPriority(record: LogRecord): boolean {
  return yieldsAt(record, record.timestamp) !== null;
}

/** One span for each chunk, a child of the request that posted it; the log delivery has its own span. */
async function traced(record: LogRecord, work: () => Promise<string>): Promise<void> {
  const origins = originsOf([record.headers[batchHeaders.traceparent]]);
  const attributes = {
    "messaging.destination.name": record.topic,
    "messaging.destination.partition.id": String(record.partition),
    "messaging.message.offset": record.offset,
    "messaging.message.body.size": record.value.length,
  };
  await tracedWork({ tracer, name: "ingest part", origins, attributes }, async () => {
    const outcome = await work();
    trace.getActiveSpan()?.setAttribute("tributary.ingest.outcome", outcome);
  });
}

/** Maximum time that a low-precedence chunk waits, in milliseconds, so that it is applied however many others come. */
export const lowPriorityWaitMs = 100;

/** Milliseconds after the last other chunk in which low-precedence ones are applied one at a time. */
export const oneAtATimeMs = 2_000;

/**
 * Applies low-precedence chunks (from OpenLineage, which may come in floods) when no other chunk is being applied:
 * clients wait for those. While others come, they are applied one at a time, too.
 */
export class LowPriorityScheduler {
  #otherChunks = 0;
  #lowPriority = 0;
  #lastOther = -Infinity;
  readonly #waiting = new Set<AbortController>();

  constructor(private readonly clock: Clock) {}

  /** Runs `work` in its turn, with its outcome. */
  async run<T>(isLow: boolean, work: () => Promise<T>): Promise<T> {
    const end = this.clock.now() + lowPriorityWaitMs;
    // Between the last look and the count nothing else may begin.
    for (let left = this.#wait(isLow, end); left > 0; left = this.#wait(isLow, end)) {
      await this.#change(left);
    }
    this.#count(isLow, 1);
    try {
      return await work();
    } finally {
      this.#count(isLow, -1);
      for (const waiting of this.#waiting) waiting.abort();
    }
  }

  /** Milliseconds that are left to wait; 0 or less when its turn has come. */
  #wait(isLow: boolean, end: number): number {
    const now = this.clock.now();
    return isLow && this.#isBusy(now) ? end - now : 0;
  }

  /** Resolves when a chunk has ended, at the latest after `ms`. */
  async #change(ms: number): Promise<void> {
    const waiting = new AbortController();
    this.#waiting.add(waiting);
    await this.clock.sleep(ms, waiting.signal);
    this.#waiting.delete(waiting);
  }

  #isBusy(now: number): boolean {
    return this.#otherChunks > 0 || this.#lowPriority > 0 && now - this.#lastOther < oneAtATimeMs;
  }

  #count(isLow: boolean, change: 1 | -1): void {
    if (isLow) {
      this.#lowPriority += change;
      return;
    }
    this.#otherChunks += change;
    this.#lastOther = this.clock.now();
  }
}
