import { AppError, unavailable } from "#kit/errors.ts";
import type { Gauge } from "#kit/metrics.ts";

export interface LimiterOptions {
  /** Most calls that run at the same time. */
  atOnce: number;
  /** Most calls that may wait for their turn. */
  maxWaiting: number;
  /** Milliseconds that a call may wait. */
  waitMs: number;
  /** Message of the 503 when the queue is full or a call waited too long. */
  refused: string;
  /** Number of calls that are waiting. */
  waiting: Gauge;
}

interface Waiter {
  begin(): void;
  fail(error: AppError): void;
}

/**
 * A concurrency limiter with a bounded queue, for work so large that running more of it at once would finish
 * nothing sooner and only use more memory.
 */
export class ConcurrencyLimiter {
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(private readonly options: LimiterOptions) {}

  /** Runs `work` in its turn, with its outcome; 503 when it waits too long or an engine is down. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.options.atOnce) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.status === 503) this.#refuse(error);
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
    for (const waiter of this.#waiting) waiter.fail(error);
  }

  #turn(): Promise<void> {
    if (this.#waiting.size >= this.options.maxWaiting) throw this.#tooMany();
    return new Promise((come, refuse) => {
      const ended = (then: () => void) => () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        this.#measure();
        then();
      };
      const fail = (error: AppError) => ended(() => refuse(error))();
      const waiter = { begin: ended(come), fail };
      const timer = setTimeout(() => fail(this.#tooMany()), this.options.waitMs);
      this.#waiting.add(waiter);
      this.#measure();
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first) first.begin();
    else this.#running--;
  }

  #measure(): void {
    this.options.waiting.set({}, this.#waiting.size);
  }

  #tooMany(): AppError {
    return unavailable(this.options.refused, 2);
  }
}
