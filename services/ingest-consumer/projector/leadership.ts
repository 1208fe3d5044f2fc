import { type ProjectedGraph, StaleEpochError } from "#graph/port.ts";
import { messageOf } from "#kit/errors.ts";
import type { Lease } from "#metadata/postgres/leases.ts";
import type { Context } from "#platform/context.ts";

/** Milliseconds after which the lease expires unless renewed. */
export const leaseMs = 5_000;

/** One term as leader: renews the lease until stopped, or until the lease is lost. */
export class Leadership {
  readonly #ended = new AbortController();
  readonly #renewing: Promise<void>;

  constructor(
    private readonly deps: Pick<Context, "leases" | "clock" | "log">,
    private lease: Lease,
  ) {
    this.#renewing = this.#renew();
  }

  /** Aborts when the lease is lost. */
  get lost(): AbortSignal {
    return this.#ended.signal;
  }

  get epoch(): number {
    return this.lease.epoch;
  }

  /**
   * Takes control of the graph and returns its position. Raises the epoch each time: an abandoned
   * transaction may still arrive and must not pass for ours. A graph with a higher epoch belongs to
   * metadata that were restored from a backup; the lease is raised above that epoch.
   */
  async claim(graph: Pick<ProjectedGraph, "claim">): Promise<number> {
    await this.#raiseAbove(this.epoch);
    try {
      return await onGraph(graph.claim(this.epoch));
    } catch (error) {
      if (!(error instanceof StaleEpochError)) throw error;
      this.deps.log.warn("epoch of the graph is ahead of the metadata", { epoch: error.current });
      await this.#raiseAbove(error.current);
      return await onGraph(graph.claim(this.epoch));
    }
  }

  /** Releases the lease. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#renewing;
    await this.deps.leases.release(this.lease.name).catch((error) => {
      this.deps.log.debug("lease not released", { error: messageOf(error) });
    });
  }

  /** Raises the lease's epoch; throws when the lease is no longer held. */
  async #raiseAbove(current: number): Promise<void> {
    const raised = await this.deps.leases.raise(this.lease.name, current);
    if (raised === null) throw new StaleEpochError(this.epoch, current);
    this.lease = raised;
  }

  async #renew(): Promise<void> {
    const { leases, clock, log } = this.deps;
    let leasedUntil = clock.now() + leaseMs;
    for (;;) {
      await clock.sleep(leaseMs / 3, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      const requestedAt = clock.now();
      try {
        const lease = await leases.acquire(this.lease.name, leaseMs);
        if (lease === null || lease.epoch < this.lease.epoch) return this.#ended.abort();
        leasedUntil = requestedAt + leaseMs;
      } catch (error) {
        log.warn("projector lease not renewed", { error: messageOf(error) });
        if (clock.now() >= leasedUntil) return this.#ended.abort();
      }
    }
  }
}

/** A failure of the graph store, as opposed to the metadata store. */
export class GraphFailure extends Error {
  constructor(cause: unknown) {
    super("the graph does not take batches", { cause });
    this.name = "GraphFailure";
  }
}

/** Runs work on the graph; wraps every error in a `GraphFailure`, except a lost epoch. */
export async function onGraph<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StaleEpochError ? error : new GraphFailure(error);
  }
}
