import { unavailable } from "#kit/errors.ts";
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

/**
 * Lineage answers are made a few at a time: a large one costs seconds of this process and of the
 * engine, so more at once would come no sooner, and would need the memory of all of them.
 */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(private readonly options: TurnsOptions) {}

  /** The outcome of `work`, when its turn has come; a 503 when that takes too long. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.options.atOnce) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.size >= this.options.maxWaiting) throw tooMany();
    return new Promise((come, fail) => {
      const begin = () => {
        clearTimeout(timer);
        come();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        this.#measure();
        fail(tooMany());
      }, this.options.waitMs);
      this.#waiting.add(begin);
      this.#measure();
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) return void this.#running--;
    this.#waiting.delete(first);
    this.#measure();
    first();
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
