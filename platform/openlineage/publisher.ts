import { openlineageEvents } from "#contract/topics.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError, PermanentError, unavailable } from "#kit/errors.ts";
import type { Histogram, Metrics } from "#kit/metrics.ts";
import type { EventLog, NewRecord } from "#eventlog/port.ts";

interface PublisherOptions {
  events: Pick<EventLog, "publish">;
  clock: Clock;
  metrics: Metrics;
}

/** Timeout of the event log in milliseconds, and the additional time for each MB (of 1,048,576 bytes). */
export const publishMs = { atLeast: 3_000, ofMegabyte: 250 };

/** Milliseconds that the event log is given for so many bytes. Clients wait a few seconds for one event, of 5 MB at most. */
export function publishWithinMs(bytes: number): number {
  return publishMs.atLeast + Math.floor(bytes / 1_048_576) * publishMs.ofMegabyte;
}

/** Maximum number of records and bytes that are published together; a single larger call goes alone. */
const together = { records: 500, bytes: 8 * 1_048_576 };
/** Milliseconds that are waited for half as many calls as went together last. */
export const gatherMs = 5;
/** Maximum number of bytes that wait for the event log. */
export const maxWaitingBytes = 64 * 1_048_576;

/** What one call publishes. */
interface QueuedPublish {
  records: NewRecord[];
  bytes: number;
  settled: boolean;
  settle(error?: unknown): void;
}

/**
 * Publishes events to their topic. Calls that come while one is being published share the next: an event a request
 * would otherwise cost a transaction, or a round trip, each.
 */
export class EventPublisher {
  #queue: QueuedPublish[] = [];
  #bytes = 0;
  #running = false;
  /** Called with each call that comes. */
  #came = () => {};
  readonly #seconds: Histogram;

  constructor(private readonly options: PublisherOptions) {
    this.#seconds = options.metrics.histogram(
      "tributary_openlineage_publish_seconds",
      "Time to write accepted OpenLineage events to the event log",
    );
  }

  /**
   * Resolves when all are durable. Rejects with 503 after `publishWithinMs`, when too much waits, or the log is down;
   * the records may have been stored all the same, which costs nothing. Rejects with a `PermanentError` for a record
   * that the log can never hold.
   */
  publish(records: NewRecord[]): Promise<void> {
    const bytes = bytesOf(records);
    if (records.length === 0) return Promise.resolve();
    if (this.#bytes > 0 && this.#bytes + bytes > maxWaitingBytes) {
      return Promise.reject(unavailable("Too many events wait for the event log", 2));
    }
    const begun = this.options.clock.now();
    return new Promise((resolve, reject) => {
      const late = () => waiting.settle(unavailable("The event log did not answer in time", 2));
      const timer = setTimeout(late, publishWithinMs(bytes));
      const waiting: QueuedPublish = {
        records,
        bytes,
        settled: false,
        settle: (error) => {
          if (waiting.settled) return;
          waiting.settled = true;
          clearTimeout(timer);
          this.#bytes -= bytes;
          this.#seconds.observe({}, (this.options.clock.now() - begun) / 1_000);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      this.#bytes += bytes;
      this.#queue.push(waiting);
      this.#came();
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      await this.#send(batch);
      await this.#gather(Math.floor(batch.length / 2));
    }
    this.#running = false;
  }

  /**
   * Waits a moment for as many calls. Those that were answered together send their next at about the same time: the first
   * of them would otherwise go by itself, and all others wait for it.
   */
  async #gather(calls: number): Promise<void> {
    if (this.#queue.length >= calls) return;
    const enough = new AbortController();
    this.#came = () => this.#queue.length >= calls && enough.abort();
    await this.options.clock.sleep(gatherMs, enough.signal);
    this.#came = () => {};
  }

  /** The calls at the front that go together. */
  #next(): QueuedPublish[] {
    this.#queue = this.#queue.filter(({ settled }) => !settled);
    let [records, bytes, count] = [0, 0, 0];
    for (const waiting of this.#queue) {
      records += waiting.records.length;
      bytes += waiting.bytes;
      if (count > 0 && (records > together.records || bytes > together.bytes)) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #send(batch: QueuedPublish[]): Promise<void> {
    const records = batch.flatMap((waiting) => waiting.records);
    const timeoutMs = publishWithinMs(bytesOf(records));
    try {
      await this.options.events.publish(openlineageEvents, records, { timeoutMs });
      for (const waiting of batch) waiting.settle();
    } catch (error) {
      // One record that the log can never hold must not cost the others.
      if (error instanceof PermanentError && batch.length > 1) {
        for (const waiting of batch) await this.#send([waiting]);
      } else for (const waiting of batch) waiting.settle(failureOf(error));
    }
  }
}

function bytesOf(records: NewRecord[]): number {
  return records.reduce((sum, { value }) => sum + value.byteLength, 0);
}

function failureOf(error: unknown): unknown {
  if (error instanceof AppError || error instanceof PermanentError) return error;
  return unavailable("The event log did not take the events", 2, error);
}
