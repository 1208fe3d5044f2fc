import { AppError } from "#kit/errors.ts";
import type { Gauge } from "#kit/metrics.ts";

export interface LimiterOptions {
  /** Maximum number of calls that run at the same time. */
  concurrency: number;
  /** Maximum number of calls that may wait for their turn. */
  maxWaiting: number;
  /** Most waiting calls of one key; default: `maxWaiting`. */
  maxWaitingPerKey?: number;
  /** Milliseconds that a call may wait. */
  waitMs: number;
  /** Message of the 503 when the queue is full or a call waited too long. */
  refused: string;
  /** Number of calls that are waiting. */
  waiting: Gauge;
}

/** 503: too many calls wait, or this one waited too long; the work itself did not fail. */
export class QueueFullError extends AppError {
  constructor(message: string) {
    super(message, { status: 503, code: "SYS002", retryable: true, retryAfter: 2 });
    this.name = "TooManyWaiting";
  }
}

interface Waiter {
  begin(): void;
  fail(error: AppError): void;
}

/**
 * A concurrency limiter with a bounded queue, for work so large that running more of it at once would finish
 * nothing sooner and only use more memory. Calls of several keys take turns, so that one key delays the others by one
 * call at most.
 */
export class ConcurrencyLimiter {
  /** Waiting calls by key; the key whose turn is next comes first. */
  readonly #queues = new Map<string, Set<Waiter>>();
  #waiting = 0;
  #running = 0;

  constructor(private readonly options: LimiterOptions) {}

  /**
   * Runs `work` in its turn, with its outcome. `key`: who it is for, such as an address. Throws `QueueFullError` when it
   * waits too long, and 503 when an engine is down.
   */
  async run<T>(work: () => Promise<T>, key = ""): Promise<T> {
    if (this.#running < this.options.concurrency) this.#running++;
    else await this.#turn(key);
    try {
      return await work();
    } catch (error) {
      const isDown = error instanceof AppError && error.status === 503 &&
        !(error instanceof QueueFullError);
      if (isDown) this.#refuse(error);
      throw error;
    } finally {
      this.#next();
    }
  }

  /**
   * Refuses all waiting calls at once when an engine is down: each would only get the same failure in its
   * turn.
   */
  #refuse(error: AppError): void {
    for (const queue of [...this.#queues.values()]) {
      for (const waiter of [...queue]) waiter.fail(error);
    }
  }

  #turn(key: string): Promise<void> {
    const { maxWaiting, maxWaitingPerKey = maxWaiting, waitMs } = this.options;
    const ofKey = this.#queues.get(key)?.size ?? 0;
    if (this.#waiting >= maxWaiting || ofKey >= maxWaitingPerKey) throw this.#tooMany();
    return new Promise((come, refuse) => {
      const ended = (next: () => void) => () => {
        clearTimeout(timer);
        this.#leave(key, waiter);
        next();
      };
      const fail = (error: AppError) => ended(() => refuse(error))();
      const waiter = { begin: ended(come), fail };
      const timer = setTimeout(() => fail(this.#tooMany()), waitMs);
      this.#enter(key, waiter);
    });
  }

  #enter(key: string, waiter: Waiter): void {
    const queue = this.#queues.get(key) ?? new Set();
    this.#queues.set(key, queue.add(waiter));
    this.#waiting++;
    this.#measure();
  }

  #leave(key: string, waiter: Waiter): void {
    const queue = this.#queues.get(key);
    if (!queue?.delete(waiter)) return;
    if (queue.size === 0) this.#queues.delete(key);
    this.#waiting--;
    this.#measure();
  }

  /** Begins the first call of the key whose turn it is, which then comes last. */
  #next(): void {
    const [first] = this.#queues;
    if (!first) return void this.#running--;
    const [key, queue] = first;
    const [waiter] = queue;
    waiter!.begin();
    if (!this.#queues.delete(key)) return;
    this.#queues.set(key, queue);
  }

  #measure(): void {
    this.options.waiting.set({}, this.#waiting);
  }

  #tooMany(): AppError {
    return new QueueFullError(this.options.refused);
  }
}
