import type { BatchContext, BatchHandler, LogRecord } from "#eventlog/port.ts";

/** Handles one record; once it resolves, the record may be marked as done. */
export type RecordHandler = (record: LogRecord, context: BatchContext) => Promise<unknown>;

/**
 * A handler that works on as many records at a time, over all partitions, as there are places for them: those of
 * different keys side by side, those of one key in their order. So what shares a partition by chance does not wait for
 * each other, nor for what came before it where the engine lets records join a delivery. Records without a key have no
 * order. A record is marked as done once all before it are; after a failure no further one is begun, and what had
 * succeeded behind the failed one is delivered again.
 */
export function byKey(handle: RecordHandler, semaphore: Semaphore): BatchHandler {
  return (records, context) => new KeyedQueue(context, handle, semaphore).run(records);
}

/** A record in flight. */
interface Entry {
  record: LogRecord;
  finished: boolean;
}

/** One delivery. */
class KeyedQueue {
  /** By key, what is still to be begun of those keys that are worked on. */
  readonly #queues = new Map<unknown, Entry[]>();
  /** All that is not done yet, in order. */
  readonly #inFlight: Entry[] = [];
  readonly #over = Promise.withResolvers<void>();
  #ended = false;
  #failure: { error: unknown } | undefined;
  /** The last offset before which all is finished, and the last that was marked. */
  #ahead = -1;
  #marked = -1;
  #marking: Promise<void> | undefined;

  constructor(
    private readonly context: BatchContext,
    private readonly handle: RecordHandler,
    private readonly semaphore: Semaphore,
  ) {}

  async run(records: LogRecord[]): Promise<void> {
    this.#take(records);
    this.context.join?.((more) => this.#take(more));
    await this.#over.promise;
    await this.#marking;
    if (this.#failure) throw this.#failure.error;
  }

  /** Takes records into hand; false when this delivery is at its end. */
  #take(records: LogRecord[]): boolean {
    if (this.#ended || this.#failure || this.context.signal.aborted) return false;
    for (const record of records) {
      const entry = { record, finished: false };
      this.#inFlight.push(entry);
      const key = record.key ?? entry;
      const queue = this.#queues.get(key);
      if (queue) queue.push(entry);
      else {
        this.#queues.set(key, [entry]);
        void this.#follow(key);
      }
    }
    return true;
  }

  /** Never rejects, so that `run` ends after the last record in flight. */
  async #follow(key: unknown): Promise<void> {
    const queue = this.#queues.get(key)!;
    for (let entry = queue.shift(); entry && !this.#failure; entry = queue.shift()) {
      await this.#work(entry);
    }
    this.#queues.delete(key);
    if (this.#queues.size > 0) return;
    this.#ended = true;
    this.#over.resolve();
  }

  async #work(entry: Entry): Promise<void> {
    await this.semaphore.take();
    try {
      if (this.#failure) return;
      if (this.context.signal.aborted) throw new Error("the partition was taken away");
      await this.handle(entry.record, this.context);
      entry.finished = true;
      this.#advance();
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.semaphore.free();
    }
  }

  #advance(): void {
    while (this.#inFlight[0]?.finished) this.#ahead = this.#inFlight.shift()!.record.offset;
    if (this.#marked < this.#ahead) this.#marking ??= this.#mark();
  }

  /** Marks what is done, one call at a time. */
  async #mark(): Promise<void> {
    try {
      while (this.#marked < this.#ahead) {
        const upTo = this.#ahead;
        await this.context.done(upTo);
        this.#marked = upTo;
      }
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#marking = undefined;
    }
  }
}

/** A semaphore whose permits are granted in the order of requests. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];

  constructor(private left: number) {}

  take(): Promise<void> {
    if (this.left > 0) return Promise.resolve(void this.left--);
    return new Promise((come) => this.#waiting.push(come));
  }

  free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.left++;
  }
}
