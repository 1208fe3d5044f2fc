import type { Metrics } from "#kit/metrics.ts";

/** Seconds after which an exporter that met a full gateway should come again. */
const comeAgain = 1;

/** The gateway has no room for a request now; the exporter should come again. */
export class Overloaded extends Error {
  constructor(message: string, readonly retryAfterSeconds: number) {
    super(message);
    this.name = "Overloaded";
  }
}

/** Bytes of requests that may be at work at once, over all receivers. */
export class Budget {
  #used = 0;
  readonly #gauge;

  constructor(readonly limit: number, metrics: Metrics) {
    this.#gauge = metrics.gauge(
      "tributary_traces_in_flight_bytes",
      "Bytes of trace requests at work",
    );
    this.#gauge.set({}, 0);
  }

  get free(): number {
    return this.limit - this.#used;
  }

  get used(): number {
    return this.#used;
  }

  /** A share of the budget for one request, empty at first. */
  open(): Reservation {
    return new Reservation(this);
  }

  /** Throws `Overloaded` when so much is not free. */
  take(bytes: number): void {
    if (bytes > this.free) throw new Overloaded("Too many trace requests are at work", comeAgain);
    this.#set(this.#used + bytes);
  }

  give(bytes: number): void {
    this.#set(this.#used - bytes);
  }

  #set(used: number): void {
    this.#used = used;
    this.#gauge.set({}, used);
  }
}

/** What one request holds of the budget. */
export class Reservation {
  #held = 0;

  constructor(private readonly budget: Budget) {}

  get held(): number {
    return this.#held;
  }

  /** How much more could be taken now. */
  get free(): number {
    return this.budget.free;
  }

  /** Takes what is missing to `bytes` in all; throws `Overloaded` when it is not free. */
  atLeast(bytes: number): void {
    const more = bytes - this.#held;
    if (more <= 0) return;
    this.budget.take(more);
    this.#held = bytes;
  }

  /** Gives everything back; idempotent. */
  release(): void {
    this.budget.give(this.#held);
    this.#held = 0;
  }
}
