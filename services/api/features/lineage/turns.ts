import { AppError, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";

export interface TurnsOptions {
  metrics: Metrics;
  /** Answers that are made at the same time. */
  atOnce: number;
  /** Questions that may wait for their turn. */
  maxWaiting: number;
  /** Milliseconds that one may wait. */
  waitMs: number;
}

interface Waiter {
  begin(): void;
  fail(error: AppError): void;
}

/**
 * Lineage answers are made a few at a time: a large one costs seconds of this process and of the
 * engine, so more at once would come no sooner, and would need the memory of all of them.
 */
export class Turns {
  readonly #waiting = new Set<Waiter>();
  #running = 0;

  constructor(private readonly options: TurnsOptions) {}

  /** The outcome of `work`, when its turn has come; a 503 when that takes too long or an engine is down. */
  async take<T>(work: () => Promise<T>): Promise<T> {
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

  /** An engine is down: whoever waits would wait for the same answer, turn after turn. */
  #refuse(error: AppError): void {
    for (const waiter of this.#waiting) waiter.fail(error);
  }

  #turn(): Promise<void> {
    if (this.#waiting.size >= this.options.maxWaiting) throw tooMany();
    return new Promise((come, refuse) => {
      const ended = (then: () => void) => () => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        this.#measure();
        then();
      };
      const fail = (error: AppError) => ended(() => refuse(error))();
      const waiter = { begin: ended(come), fail };
      const timer = setTimeout(() => fail(tooMany()), this.options.waitMs);
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
    this.options.metrics.gauge(
      "tributary_lineage_waiting",
      "Lineage questions that wait their turn",
    )
      .set({}, this.#waiting.size);
  }
}

const tooMany = () => unavailable("Too many lineage questions are being answered", 2);
