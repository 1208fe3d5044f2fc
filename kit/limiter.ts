import { AppError } from "#kit/errors.ts";
import type { Counter, Gauge } from "#kit/metrics.ts";

export interface LimiterOptions {
  /** Maximum number of calls that run at the same time. */
  concurrency: number;
  /** Most running calls of one key; default: `concurrency`. */
  concurrencyPerKey?: number;
  /** Maximum number of calls that may wait for their turn. */
  maxWaiting: number;
  /** Most waiting calls of one key; default: `maxWaiting`. */
  maxWaitingPerKey?: number;
  /** Milliseconds that a call may wait. */
  waitMs: number;
  /** Message of the 503 when the queue is full or a call waited too long. */
  refused: string;
  /** Message of the 429 when a key has used its own share; default: as when the queue is full. */
  refusedKey?: string;
  /** Seconds after which a refused call may retry. */
  retryAfter?: number;
  /** Number of calls that are waiting, and of those that run. */
  waiting?: Gauge;
  running?: Gauge;
  /** Refused calls, by `limit`: that of `all`, or of one `caller`. */
  refusals?: Counter;
}

/** 503: too many calls wait, or this one waited too long; 429: those of the same caller. The work itself did not fail. */
export class QueueFullError extends AppError {
  constructor(message: string, { status = 503, retryAfter = 2 } = {}) {
    super(message, { status, code: "SYS002", retryable: true, retryAfter });
    this.name = "QueueFullError";
  }
}

interface Waiter {
  begin(): void;
  fail(error: AppError): void;
}

/**
 * The fair queue of all work that one caller must not take for itself: a concurrency limiter with a bounded queue, in
 * which each key has its share of what runs and of what waits, and keys take turns.
 */
export class ConcurrencyLimiter {
  /** Waiting calls by key; the key whose turn is next comes first. */
  readonly #queues = new Map<string, Set<Waiter>>();
  /** Running calls by key. */
  readonly #ofKey = new Map<string, number>();
  #waiting = 0;
  #running = 0;

  constructor(private readonly options: LimiterOptions) {
    this.#measure();
    for (const limit of ["all", "caller"]) options.refusals?.inc({ limit }, 0);
  }

  /**
   * Runs `work` in its turn, with its outcome. `key`: who it is for, such as a caller or an address. Throws
   * `QueueFullError` when it waits too long, and 503 when an engine is down.
   */
  async run<T>(work: () => Promise<T>, key = ""): Promise<T> {
    const leave = await this.enter(key);
    try {
      return await work();
    } catch (error) {
      const isDown = error instanceof AppError && error.status === 503 &&
        !(error instanceof QueueFullError);
      if (isDown) this.#refuse(error);
      throw error;
    } finally {
      leave();
    }
  }

  /** Waits for a turn; returns what ends it, once. For work that outlasts a function, such as a stream. */
  async enter(key = ""): Promise<() => void> {
    if (this.#isFree(key)) return this.#begun(key);
    await this.#turn(key);
    return this.#once(key);
  }

  /** As `enter`, but throws `QueueFullError` instead of waiting. */
  enterNow(key = ""): () => void {
    if (!this.#isFree(key)) throw this.#tooMany(key);
    return this.#begun(key);
  }

  #isFree(key: string): boolean {
    return this.#running < this.options.concurrency && !this.#hasItsShare(key);
  }

  #begun(key: string): () => void {
    this.#begin(key);
    return this.#once(key);
  }

  #once(key: string): () => void {
    let ended = false;
    return () => {
      if (!ended) this.#end(key);
      ended = true;
    };
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
    if (this.#waiting >= maxWaiting || ofKey >= maxWaitingPerKey) throw this.#tooMany(key);
    return new Promise((come, refuse) => {
      const ended = (next: () => void) => () => {
        clearTimeout(timer);
        this.#leave(key, waiter);
        next();
      };
      const fail = (error: AppError) => ended(() => refuse(error))();
      const begin = ended(() => {
        this.#begin(key);
        come();
      });
      const waiter = { begin, fail };
      const timer = setTimeout(() => fail(this.#tooMany(key)), waitMs);
      this.#enqueue(key, waiter);
    });
  }

  #enqueue(key: string, waiter: Waiter): void {
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

  #begin(key: string): void {
    this.#running++;
    this.#ofKey.set(key, (this.#ofKey.get(key) ?? 0) + 1);
    this.#measure();
  }

  #end(key: string): void {
    this.#running--;
    const left = this.#ofKey.get(key)! - 1;
    if (left > 0) this.#ofKey.set(key, left);
    else this.#ofKey.delete(key);
    this.#next();
    this.#measure();
  }

  /** Begins the first call of the first key that may have one more, which then comes last. */
  #next(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#hasItsShare(key)) continue;
      const [waiter] = queue;
      waiter!.begin();
      if (this.#queues.delete(key)) this.#queues.set(key, queue);
      return;
    }
  }

  #hasItsShare(key: string): boolean {
    return (this.#ofKey.get(key) ?? 0) >=
      (this.options.concurrencyPerKey ?? this.options.concurrency);
  }

  #measure(): void {
    this.options.waiting?.set({}, this.#waiting);
    this.options.running?.set({}, this.#running);
  }

  /** What stands in the way of a key is its own share, unless all together are too many. */
  #tooMany(key: string): AppError {
    const { concurrency, maxWaiting, maxWaitingPerKey = maxWaiting, refused, refusedKey } =
      this.options;
    const isFull = maxWaiting > 0 ? this.#waiting >= maxWaiting : this.#running >= concurrency;
    const waits = this.#queues.get(key)?.size ?? 0;
    const isOwn = !isFull && (this.#hasItsShare(key) || waits >= maxWaitingPerKey);
    this.options.refusals?.inc({ limit: isOwn ? "caller" : "all" });
    const { retryAfter } = this.options;
    return isOwn && refusedKey !== undefined
      ? new QueueFullError(refusedKey, { status: 429, retryAfter })
      : new QueueFullError(refused, { retryAfter });
  }
}
