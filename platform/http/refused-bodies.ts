import { type Clock, systemClock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";
import type { Counter, Gauge, Metrics } from "#kit/metrics.ts";

/** Bytes up to which a body is read whatever its sender has sent before. */
export const smallBody = 256 * 1_024;

/** Seconds in which an allowance that was used up is whole again. */
export const recoverySeconds = 60;

/** Addresses that are remembered; of more the one that was refused longest ago is forgotten. */
export const maxAddresses = 10_000;

/** Milliseconds after which somebody is told to come later, so that coming at once gains nothing. */
export const toldAfterMs = 3_000;

/** Larger bodies of this address are not read for now. */
class HeldOff extends AppError {
  constructor(retryAfter: number) {
    super(
      "Too many large bodies of this address were refused lately " +
        "(server.max-refused-bytes-per-address)",
      { status: 429, code: "SYS002", retryable: true, retryAfter },
    );
  }
}

export interface RefusedBodiesOptions {
  /** Bytes of large bodies that an address may send in vain at once; 0: no limit. */
  allowance: number;
  metrics: Metrics;
  clock?: Clock;
}

/** What an address has sent in vain, as it was at a time; it shrinks as time goes by. */
interface Debt {
  bytes: number;
  at: number;
}

/**
 * Bounds what one address can make us read for nothing: a token bucket per address that only bodies
 * empty which are larger than `smallBody` and end in a refusal. While it is empty such bodies are
 * answered with 429. Bodies that are accepted cost nothing, however many there are.
 */
export class RefusedBodies {
  /** The one that was refused longest ago first. */
  readonly #debts = new Map<string, Debt>();
  readonly #addresses: Gauge;
  readonly #heldOff: Counter;
  readonly #allowance: number;
  readonly clock: Clock;

  constructor({ allowance, metrics, clock = systemClock }: RefusedBodiesOptions) {
    this.#allowance = allowance;
    this.clock = clock;
    this.#addresses = metrics.gauge(
      "tributary_http_refused_addresses",
      "Addresses of which large bodies were refused lately",
    );
    this.#heldOff = metrics.counter(
      "tributary_http_bodies_held_off_total",
      "Large bodies that were not read since too many of their address had been refused",
    );
  }

  /** A meter for one request of an address; without an address, or a limit, it never refuses. */
  meter(client: string | undefined): BodyMeter {
    return new BodyMeter(this, this.#allowance > 0 ? client ?? "" : "");
  }

  /** Seconds until large bodies of an address are read again; 0: they are. */
  secondsLeft(client: string): number {
    const over = this.#debtOf(client) - this.#allowance;
    return over < 0 ? 0 : Math.max(1, Math.ceil(over / this.#perSecond));
  }

  /** A body of an address was read in vain. */
  charge(client: string, bytes: number): void {
    // No debt takes longer than two recoveries, however much was under way when it was full.
    const owed = Math.min(this.#debtOf(client) + bytes, 3 * this.#allowance);
    this.#debts.delete(client);
    this.#debts.set(client, { bytes: owed, at: this.clock.now() });
    if (this.#debts.size > maxAddresses) this.#debts.delete(this.#debts.keys().next().value!);
    this.#addresses.set({}, this.#debts.size);
  }

  countHeldOff(): void {
    this.#heldOff.inc({});
  }

  get #perSecond(): number {
    return this.#allowance / recoverySeconds;
  }

  #debtOf(client: string): number {
    const debt = this.#debts.get(client);
    if (!debt) return 0;
    const left = debt.bytes - (this.clock.now() - debt.at) / 1_000 * this.#perSecond;
    if (left > 0) return left;
    this.#debts.delete(client);
    this.#addresses.set({}, this.#debts.size);
    return 0;
  }
}

/** Refusals that tell nothing against what was sent. */
const comeAgain = new Set([408, 429, 503]);

/** Counts what is read of one body, and whether it was in vain. */
export class BodyMeter {
  #bytes = 0;
  #heldOff = false;

  constructor(private readonly all: RefusedBodies, private readonly client: string) {}

  /** How large the body may grow for now. */
  get room(): number {
    return this.client !== "" && this.all.secondsLeft(this.client) > 0 ? smallBody : Infinity;
  }

  /** So much was read in all. Throws 429 when it is large and its address is held off. */
  grown(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, bytes);
    this.check();
  }

  /** The same for what was read so far: others may have been refused meanwhile. */
  check(): void {
    if (this.client === "" || this.#bytes <= smallBody) return;
    const seconds = this.all.secondsLeft(this.client);
    if (seconds === 0) return;
    this.#heldOff = true;
    this.all.countHeldOff();
    throw new HeldOff(seconds);
  }

  /**
   * The request is about to be answered with `status`. Resolves at once, but for somebody who is held
   * off: the answer then comes so late that coming again at once gains nothing.
   */
  async answered(status: number, signal?: AbortSignal): Promise<void> {
    if (this.#heldOff) return await this.all.clock.sleep(toldAfterMs, signal);
    if (status < 400 || comeAgain.has(status)) return;
    if (this.client !== "" && this.#bytes > smallBody) this.all.charge(this.client, this.#bytes);
  }
}

const meters = new WeakMap<Request, BodyMeter>();

/** Binds a meter to a request, for whoever reads its body. */
export function bindMeter(request: Request, meter: BodyMeter): void {
  meters.set(request, meter);
}

/** The meter of a request; undefined where nobody meters. */
export function meterOf(request: Request): BodyMeter | undefined {
  return meters.get(request);
}
