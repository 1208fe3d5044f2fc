import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import { type ChunkOutcome, readOutcomes } from "./queries.ts";

interface OutcomesOptions {
  db: Database;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Maximum number of batches that requests wait for at a time; further requests do not wait. */
  maxWaiters?: number;
  pollMs?: number;
}

interface Waiter {
  batch: string;
  chunkCount: number;
  /** Milliseconds since the epoch. */
  deadline: number;
  known: ChunkOutcome[];
  resolve: (known: ChunkOutcome[]) => void;
}

/** A batch whose outcomes a request waits for. */
export interface PendingOutcome {
  /** The outcomes of all parts, or those known when the time ran out or the service stopped. */
  outcomes: Promise<ChunkOutcome[]>;
  cancel(): void;
}

/**
 * All requests of this process that wait for the outcome of a batch. The consumer's notification
 * wakes them; a single query for all of them also runs every `pollMs`.
 */
export class Outcomes {
  readonly #waiters = new Map<string, Waiter>();
  readonly #due = new Set<string>();
  readonly #maxWaiters: number;
  #unlisten: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #reading = false;
  #stopped = false;

  constructor(private readonly options: OutcomesOptions) {
    this.#maxWaiters = options.maxWaiters ?? 1_000;
  }

  /**
   * Starts to wait; call it before the batch is published, so that no notification is missed.
   * Undefined when too many requests wait already, or the service is stopping.
   */
  expect(batch: string, chunkCount: number, timeoutMs: number): PendingOutcome | undefined {
    if (this.#stopped || this.#waiters.size >= this.#maxWaiters) return undefined;
    this.#unlisten ??= this.options.wakeups.on("applied_batch", (batch) => this.#wake(batch));
    this.#timer ??= setInterval(() => this.#tick(), this.options.pollMs ?? 250);
    const deadline = this.options.clock.now() + timeoutMs;
    const outcomes = new Promise<ChunkOutcome[]>((resolve) => {
      this.#waiters.set(batch, { batch, chunkCount, deadline, known: [], resolve });
    });
    this.#measure();
    return { outcomes, cancel: () => this.#end(batch) };
  }

  /** Releases all waiting requests with the outcomes known so far. */
  stop(): void {
    this.#stopped = true;
    this.#unlisten?.();
    clearInterval(this.#timer);
    for (const batch of [...this.#waiters.keys()]) this.#end(batch);
  }

  #wake(batch: string): void {
    if (batch === "") this.#all();
    else if (!this.#waiters.has(batch)) return;
    else this.#due.add(batch);
    void this.#read();
  }

  #tick(): void {
    const now = this.options.clock.now();
    for (const { batch, deadline } of [...this.#waiters.values()]) {
      if (deadline <= now) this.#end(batch);
    }
    this.#all();
    void this.#read();
  }

  #all(): void {
    for (const batch of this.#waiters.keys()) this.#due.add(batch);
  }

  /** Runs one query at a time; requests that become due meanwhile are part of the next. */
  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#due.size > 0) {
        const batches = [...this.#due];
        this.#due.clear();
        this.#take(await readOutcomes(this.options.db, batches));
      }
    } catch (error) {
      this.options.log.warn("outcomes of batches could not be read", { error });
    } finally {
      this.#reading = false;
    }
  }

  #take(rows: ChunkOutcome[]): void {
    const byBatch = Map.groupBy(rows, (row) => row.batch);
    for (const [batch, known] of byBatch) {
      const waiter = this.#waiters.get(batch);
      if (!waiter) continue;
      waiter.known = known;
      if (known.length >= waiter.chunkCount) this.#end(batch);
    }
  }

  #end(batch: string): void {
    const waiter = this.#waiters.get(batch);
    if (!waiter) return;
    this.#waiters.delete(batch);
    this.#due.delete(batch);
    waiter.resolve(waiter.known);
    this.#measure();
  }

  #measure(): void {
    this.options.metrics.gauge("tributary_ingestion_waiters", "Batches with a pending outcome")
      .set({}, this.#waiters.size);
  }
}
