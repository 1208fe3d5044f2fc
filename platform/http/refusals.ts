import { type Clock, systemClock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import type { Counter, Metrics } from "#kit/metrics.ts";
import { networkOf } from "#kit/network.ts";

/** Refusals of one network that are answered at once, and seconds in which it gets as many again. */
export const refusalsAtOnce = 100;
export const refusalRecoverySeconds = 10;

/** Milliseconds by which further ones are late. */
export const refusalDelayMs = 1_000;

/** Paths whose clients retry after a 429: their requests were valid, so only wrong tokens count. */
const intakes = /^\/(ingestion|integrations|api\/v1\/lineage|v1\/traces)(\/|$)/;

/**
 * Delays answers to a network that is refused again and again (401, 429), so that a flood of refused requests leaves the
 * event loop and the database to others. Requests that succeed are never delayed, not even those of the same network.
 */
export class RefusalDelay {
  readonly #refusals: Debts;
  readonly #delayed: Counter;

  constructor(private readonly clock: Clock, metrics: Metrics) {
    const perSecond = refusalsAtOnce / refusalRecoverySeconds;
    this.#refusals = new Debts(clock, { perSecond, max: 2 * refusalsAtOnce });
    this.#delayed = metrics.counter(
      "tributary_http_refusals_delayed_total",
      "Responses with 401 or 429 that were delayed because their network had received many",
    );
    this.#delayed.inc({}, 0);
  }

  /** To be called before a request of this address is answered with `status`. */
  async answered(
    address: string | undefined,
    status: number,
    { path, signal }: { path: string; signal?: () => AbortSignal },
  ): Promise<void> {
    const isRefusal = status === 401 || status === 429 && !intakes.test(path);
    if (address === undefined || !isRefusal) return;
    const network = networkOf(address);
    const isMany = this.#refusals.of(network) >= refusalsAtOnce;
    this.#refusals.charge(network, 1);
    if (!isMany) return;
    this.#delayed.inc({});
    await this.clock.sleep(refusalDelayMs, signal?.());
  }
}

/** Size up to which a body is read even from a throttled address, bytes. */
export const smallBody = 256 * 1_024;

/** Seconds in which a used-up allowance recovers completely. */
export const bodyRecoverySeconds = 60;

/** Milliseconds by which a 429 is delayed, so that retrying at once gains nothing. */
export const throttledDelayMs = 3_000;

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
    return this.#allowance / bodyRecoverySeconds;
  }
}

/** Statuses of refusals that are not the fault of the body; they charge nothing. */
const unchargedStatuses = new Set([408, 429, 503]);

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
   * To be called before the request is answered with `status`. Delays the response to an address that is throttled, so
   * that retrying at once gains nothing. The signal of a request costs as much as reading a small body, so it is
   * requested only then.
   */
  async answered(status: number, request?: Pick<Request, "signal">): Promise<void> {
    if (this.#throttled) return await this.all.clock.sleep(throttledDelayMs, request?.signal);
    if (status < 400 || unchargedStatuses.has(status)) return;
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

/** Maximum number of addresses remembered; beyond it, the one that was charged longest ago is forgotten. */
export const maxAddresses = 10_000;

/** What an address owes as of a point in time; it decays. */
interface Debt {
  amount: number;
  at: number;
}

/** Token buckets by address: what each has used up lately, which it gets back with time. */
export class Debts {
  /** Ordered by last charge, oldest first. */
  readonly #debts = new Map<string, Debt>();

  /** `perSecond`: what an address gets back; `max`: most that it can owe; `changed` receives how many addresses owe. */
  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly options: { perSecond: number; max: number; changed?(size: number): void },
  ) {}

  of(address: string): number {
    const debt = this.#debts.get(address);
    if (!debt) return 0;
    const left = debt.amount - (this.clock.now() - debt.at) / 1_000 * this.options.perSecond;
    if (left > 0) return left;
    this.#debts.delete(address);
    this.options.changed?.(this.#debts.size);
    return 0;
  }

  charge(address: string, amount: number): void {
    const owed = Math.min(this.of(address) + amount, this.options.max);
    this.#debts.delete(address);
    this.#debts.set(address, { amount: owed, at: this.clock.now() });
    if (this.#debts.size > maxAddresses) this.#debts.delete(this.#debts.keys().next().value!);
    this.options.changed?.(this.#debts.size);
  }
}
