import { type Clock, systemClock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { BodyMeter, RefusedBodies } from "#platform/http/refusals.ts";

/** Seconds after which an exporter that met a full gateway should retry. */
const retryAfterSeconds = 1;
/** Milliseconds after which a body that still comes must make room for others, if room is short. */
export const maxWaitMs = 2_000;
/** The part of all room beyond which unfinished bodies of one client make room for others at once. */
export const clientShare = 1 / 2;

/** The gateway has no capacity for a request now; the exporter should retry. */
export class OverloadedError extends Error {
  constructor(message: string, readonly retryAfterSeconds: number) {
    super(message);
    this.name = "Overloaded";
  }
}

const full = () => new OverloadedError("Too many trace requests are at work", retryAfterSeconds);

/**
 * Bytes of requests that may be at work at once, over all receivers. How long a body takes to
 * arrive depends on its client. So when room is short, bodies that are still arriving are refused, the
 * oldest first, and those of one client never take all of it.
 */
export class Budget {
  #used = 0;
  readonly #gauge;
  readonly #withdrawn;
  /** Reservations whose body is still arriving, the oldest first. */
  readonly #unfinished = new Set<Reservation>();
  /** Bytes of these by client. */
  readonly #byClient = new Map<string, number>();

  constructor(
    readonly limit: number,
    metrics: Metrics,
    private readonly refused: RefusedBodies,
    private readonly clock: Clock = systemClock,
  ) {
    this.#gauge = metrics.gauge(
      "tributary_traces_in_flight_bytes",
      "Bytes of trace requests in progress",
    );
    this.#withdrawn = metrics.counter(
      "tributary_traces_withdrawn_total",
      "Requests aborted because their body arrived too slowly",
    );
    this.#gauge.set({}, 0);
  }

  get free(): number {
    return this.limit - this.#used;
  }

  get used(): number {
    return this.#used;
  }

  /** A share of the budget for one request, empty at first. `client` is whose body it is. */
  open(client = ""): Reservation {
    return new Reservation(this, client, this.clock.now(), this.refused.meter(client));
  }

  /** Throws `OverloadedError` when so much is not free, nor can be made free. */
  take(bytes: number, by: Reservation): void {
    if (bytes > this.free) this.#evict(bytes, by);
    if (bytes > this.free) throw full();
    this.#set(this.#used + bytes);
    if (by.whole) return;
    this.#unfinished.add(by);
    this.#byClient.set(by.client, (this.#byClient.get(by.client) ?? 0) + bytes);
  }

  /** The body of `one` has arrived: from now on it is not refused to make room. */
  finish(one: Reservation): void {
    if (!this.#unfinished.delete(one)) return;
    const left = (this.#byClient.get(one.client) ?? 0) - one.reserved;
    if (left > 0) this.#byClient.set(one.client, left);
    else this.#byClient.delete(one.client);
  }

  give(bytes: number): void {
    this.#set(this.#used - bytes);
  }

  #evict(bytes: number, by: Reservation): void {
    const before = this.clock.now() - maxWaitMs;
    for (const one of this.#unfinished) {
      if (this.free >= bytes) return;
      if (one !== by && (one.since <= before || this.#isGreedy(one, by))) {
        one.withdraw(full());
        this.#withdrawn.inc();
      }
    }
  }

  #isGreedy({ client }: Reservation, by: Reservation): boolean {
    const reserved = this.#byClient.get(client) ?? 0;
    return client !== by.client && reserved > this.limit * clientShare;
  }

  #set(used: number): void {
    this.#used = used;
    this.#gauge.set({}, used);
  }
}

/** What one request holds of the budget. */
export class Reservation {
  #bytes = 0;
  #whole = false;
  #withdrawn: OverloadedError | undefined;
  #onWithdraw: (why: OverloadedError) => void = () => {};

  constructor(
    private readonly budget: Budget,
    readonly client: string,
    /** When it was opened, milliseconds since the epoch. */
    readonly since: number,
    private readonly meter: BodyMeter,
  ) {}

  get reserved(): number {
    return this.#bytes;
  }

  /** Whether the body has come. */
  get whole(): boolean {
    return this.#whole;
  }

  /** How much more could be taken now. */
  get free(): number {
    return Math.min(this.budget.free, this.meter.remaining);
  }

  /**
   * Takes what is missing to `bytes` in all; throws `OverloadedError` when it is not free, and 429 when large
   * bodies of its client are not read for now.
   */
  atLeast(bytes: number): void {
    if (this.#withdrawn) throw this.#withdrawn;
    this.meter.grown(bytes);
    const more = bytes - this.#bytes;
    if (more <= 0) return;
    this.budget.take(more, this);
    this.#bytes = bytes;
  }

  /** Counts what was made of the body where it is more, also beyond the budget: it is there already. */
  weigh(bytes: number): void {
    const more = bytes - this.#bytes;
    if (more <= 0) return;
    this.budget.give(-more);
    this.#bytes = bytes;
  }

  /** Throws 429 when too many large bodies of its client have been refused meanwhile. */
  assertWelcome(): void {
    this.meter.check();
  }

  /** The request is about to be refused with this status of HTTP. See `BodyMeter`. */
  async refused(status: number, signal: AbortSignal): Promise<void> {
    await this.meter.answered(status, { signal });
  }

  /** The body has arrived; it is not refused to make room any more. */
  complete(): void {
    this.budget.finish(this);
    this.#whole = true;
  }

  /** Called once, if everything must be released before its body is complete. */
  onWithdrawn(onWithdraw: (why: OverloadedError) => void): void {
    this.#onWithdraw = onWithdraw;
  }

  withdraw(why: OverloadedError): void {
    this.#withdrawn = why;
    this.release();
    this.#onWithdraw(why);
  }

  /** Gives everything back; idempotent. */
  release(): void {
    this.budget.finish(this);
    this.budget.give(this.#bytes);
    this.#bytes = 0;
  }
}
