import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop, type LoopOptions } from "#kit/loop.ts";
import type { Lease, Leases } from "#metadata/postgres/leases.ts";

export interface LeasedLoopOptions extends Omit<LoopOptions, "round"> {
  /** Name of the lease, and milliseconds after which it expires unless renewed. */
  lease: { name: string; ttlMs: number };
  leases: Leases;
  log: Logger;
  clock: Clock;
  /** Milliseconds between two attempts while another process holds the lease. */
  standbyMs: number;
  /** One round as the leaseholder; the lease is renewed before each round. See `LoopOptions.round`. */
  lead: (lease: Lease, signal: AbortSignal) => Promise<number>;
  /** Called when another process holds the lease. */
  standBy?: () => void;
}

/** A `Loop` whose work is done by one process at a time, the holder of a lease. */
export class LeasedLoop {
  readonly #loop: Loop;
  #leading = false;

  constructor(private readonly options: LeasedLoopOptions) {
    this.#loop = new Loop({ ...options, round: (signal) => this.#round(signal) });
  }

  /** Whether this process held the lease at its last check. */
  get leading(): boolean {
    return this.#leading;
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  /** Aborts the current round and releases the lease; idempotent. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    if (!this.#leading) return;
    this.#leading = false;
    const { leases, lease, log } = this.options;
    await leases.release(lease.name).catch((error) => {
      log.debug("lease not released", { lease: lease.name, error: messageOf(error) });
    });
  }

  /** To be called within a round: renews the lease; false when it was lost, or the loop is stopping. */
  async renew(): Promise<boolean> {
    return !this.#loop.signal.aborted && await this.#acquire() !== null;
  }

  async #round(signal: AbortSignal): Promise<number> {
    const lease = await this.#acquire();
    if (lease) return await this.options.lead(lease, signal);
    this.options.standBy?.();
    return this.options.standbyMs;
  }

  async #acquire(): Promise<Lease | null> {
    const { leases, lease } = this.options;
    let acquired: Lease | null = null;
    try {
      acquired = await leases.acquire(lease.name, lease.ttlMs);
      return acquired;
    } finally {
      this.#leading = acquired !== null;
    }
  }
}
