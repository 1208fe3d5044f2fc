import { type Clock, systemClock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import type { Counter, Metrics } from "#kit/metrics.ts";
import { Debts } from "#platform/http/debts.ts";

/** Size up to which a body is read even from a throttled address, bytes. */
export const smallBody = 256 * 1_024;

/** Seconds in which a used-up allowance recovers completely. */
export const recoverySeconds = 60;

/** Milliseconds by which a 429 is delayed, so that retrying at once gains nothing. */
export const logAfterMs = 3_000;

/** 429: larger bodies of this address are not read for now. */
class BodyThrottledError extends AppError {
  constructor(retryAfter: number) {
    super(
      "Too many large bodies of this address were refused lately " +
        "(server.max-refused-bytes-per-address)",
      { status: 429, code: "SYS002", retryable: true, retryAfter },
    );
  }
}

interface RefusedBodiesOptions {
  /** Bytes of large refused bodies that an address may send in a burst; 0: no limit. */
  allowance: number;
  metrics: Metrics;
  clock?: Clock;
}

/**
 * Limits how much one address can make us read for nothing: a token bucket per address. Only bodies that are
 * larger than `smallBody` and end in a refusal take tokens; while none are left, such bodies get 429.
 * Accepted bodies cost nothing, however many there are.
 */
export class RefusedBodies {
  /** Bytes that addresses have sent in refused bodies. */
  readonly #debts: Debts;
  readonly #throttled: Counter;
  readonly #allowance: number;
  readonly clock: Clock;

  constructor({ allowance, metrics, clock = systemClock }: RefusedBodiesOptions) {
    this.#allowance = allowance;
    this.clock = clock;
    const addresses = metrics.gauge(
      "tributary_http_refused_addresses",
      "Addresses whose large bodies were rejected recently",
    );
    this.#debts = new Debts(clock, {
      perSecond: this.#perSecond,
      // Large bodies are read again after at most two recovery periods, whatever was in flight.
      max: 3 * allowance,
      changed: (size) => addresses.set({}, size),
    });
    this.#throttled = metrics.counter(
      "tributary_http_bodies_held_off_total",
      "Large bodies not read because too many from their address had been rejected",
    );
  }

  /** A meter for one request of an address; without an address or a limit it never refuses. */
  meter(client: string | undefined): BodyMeter {
    return new BodyMeter(this, this.#allowance > 0 ? client ?? "" : "");
  }

  /** Seconds until large bodies of an address are read again; 0 when they are read now. */
  secondsLeft(client: string): number {
    const over = this.#debts.of(client) - this.#allowance;
    return over < 0 ? 0 : Math.max(1, Math.ceil(over / this.#perSecond));
  }

  /** Charges an address for a body that was read but refused. */
  charge(client: string, bytes: number): void {
    this.#debts.charge(client, bytes);
  }

  countThrottled(): void {
    this.#throttled.inc({});
  }

  get #perSecond(): number {
    return this.#allowance / recoverySeconds;
  }
}

/** Statuses of refusals that are not the fault of the body; they charge nothing. */
const retryable = new Set([408, 429, 503]);

/** Counts the bytes read of one body, and charges them when it is refused. */
export class BodyMeter {
  #bytes = 0;
  #throttled = false;

  constructor(private readonly all: RefusedBodies, private readonly client: string) {}

  /** Bytes that the body may have for now. */
  get remaining(): number {
    return this.client !== "" && this.all.secondsLeft(this.client) > 0 ? smallBody : Infinity;
  }

  /** Records that `bytes` were read so far. Throws 429 when that is large and its address is throttled. */
  grown(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, bytes);
    this.check();
  }

  /** Checks again for the bytes read so far: other requests may have been refused meanwhile. */
  check(): void {
    if (this.client === "" || this.#bytes <= smallBody) return;
    const seconds = this.all.secondsLeft(this.client);
    if (seconds === 0) return;
    this.#throttled = true;
    this.all.countThrottled();
    throw new BodyThrottledError(seconds);
  }

  /**
   * To be called before the request is answered with `status`. Delays the response to an address that is throttled
   * off, so that retrying at once gains nothing. The signal of a request costs as much as reading a small body, so it
   * is requested only then.
   */
  async answered(status: number, request?: Pick<Request, "signal">): Promise<void> {
    if (this.#throttled) return await this.all.clock.sleep(logAfterMs, request?.signal);
    if (status < 400 || retryable.has(status)) return;
    if (this.client !== "" && this.#bytes > smallBody) this.all.charge(this.client, this.#bytes);
  }
}

const meters = new WeakMap<Request, BodyMeter>();

/** Binds a meter to a request, for the code that reads its body. */
export function bindMeter(request: Request, meter: BodyMeter): void {
  meters.set(request, meter);
}

/** The meter of a request; undefined when none was bound. */
export function meterOf(request: Request): BodyMeter | undefined {
  return meters.get(request);
}
