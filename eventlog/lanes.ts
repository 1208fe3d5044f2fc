import type { BatchContext, BatchHandler, LogRecord } from "#eventlog/port.ts";

/** Handles one record; once it resolves, the record may be marked as done. */
export type RecordHandler = (record: LogRecord, context: BatchContext) => Promise<unknown>;

/**
 * A handler that works on as many records at a time, over all partitions, as there are places for them: those of
 * different keys side by side, those of one key in their order. So what shares a partition by chance does not wait for
 * each other. Records without a key have no order. A record is marked as done once all before it are; after a failure no
 * further one is begun, and what had succeeded behind the failed one is delivered again.
 */
export function inLanes(handle: RecordHandler, places: Places): BatchHandler {
  return (records, context) => new Lanes(records, context, handle, places).run();
}

/** One delivery. */
class Lanes {
  readonly #finished = new Set<number>();
  #failure: { error: unknown } | undefined;
  /** How many records, from the first on, are done. */
  #ahead = 0;
  #marked = 0;
  #marking: Promise<void> | undefined;

  constructor(
    private readonly records: LogRecord[],
    private readonly context: BatchContext,
    private readonly handle: RecordHandler,
    private readonly places: Places,
  ) {}

  async run(): Promise<void> {
    const lanes = Map.groupBy(this.records.keys(), (at) => this.records[at]!.key ?? at);
    await Promise.all([...lanes.values()].map((lane) => this.#follow(lane)));
    await this.#marking;
    if (this.#failure) throw this.#failure.error;
  }

  /** Never rejects, so that `run` ends after the last record in hand. */
  async #follow(lane: number[]): Promise<void> {
    for (const at of lane) {
      const record = this.records[at]!;
      await this.places.take();
      try {
        if (this.#failure) return;
        if (this.context.signal.aborted) throw new Error("the partition was taken away");
        await this.handle(record, this.context);
        this.#finish(at);
      } catch (error) {
        this.#failure ??= { error };
      } finally {
        this.places.free();
      }
    }
  }

  #finish(at: number): void {
    this.#finished.add(at);
    while (this.#finished.delete(this.#ahead)) this.#ahead++;
    if (this.#marked < this.#ahead) this.#marking ??= this.#mark();
  }

  /** Marks what is done, one call at a time. */
  async #mark(): Promise<void> {
    try {
      while (this.#marked < this.#ahead) {
        const upTo = this.#ahead;
        await this.context.done(this.records[upTo - 1]!.offset);
        this.#marked = upTo;
      }
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#marking = undefined;
    }
  }
}

/** A number of places, given in the order in which they were asked for. */
export class Places {
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
