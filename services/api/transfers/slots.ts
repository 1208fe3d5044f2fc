import { ConcurrencyLimiter } from "#kit/limiter.ts";

/** Bounds how many things that take long run at once in this process; nobody waits for one. */
export class Slots {
  readonly #limiter: ConcurrencyLimiter;

  /** `what` they are, as the refusal calls them. A caller leaves half of them to others. */
  constructor(max: number, what: string) {
    this.#limiter = new ConcurrencyLimiter({
      concurrency: max,
      concurrencyPerKey: Math.ceil(max / 2),
      maxWaiting: 0,
      waitMs: 0,
      refused: `Too many ${what} are running`,
      refusedKey: `Too many ${what} of yours are running`,
      retryAfter: 5,
    });
  }

  /** Takes one; returns how to give it back. Throws 429 when the caller has its share, 503 when none is free. */
  take(caller = ""): () => void {
    return this.#limiter.enterNow(caller);
  }
}
