import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Wakeups } from "#metadata/postgres/wakeups.ts";
import { type ProjectionStatus, readProjection } from "./queries.ts";

interface ProjectionWaitOptions {
  db: Database;
  wakeups: Wakeups;
  clock: Clock;
  log: Logger;
  /** Maximum number of positions waited for at a time; further requests are answered that the graph lags behind. */
  maxWaiters?: number;
  pollMs?: number;
}

interface Waiter {
  position: number;
  since: number;
  deadline: number;
  resolve: (reached: boolean) => void;
}

/** Milliseconds of silence after which the projector counts as down. */
const silentMs = 15_000;
/** Silence counts only after the projector had this long to react to the new position. */
const graceMs = 2_000;

/** All requests of this process that wait until the projected graph has reached a position. */
export class ProjectionWait {
  readonly #waiters = new Set<Waiter>();
  #unlisten: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #reading = false;
  #isRepeated = false;
  #stopped = false;

  constructor(private readonly options: ProjectionWaitOptions) {}

  /**
   * False when the graph is down, when too many requests wait, or when the graph still lags behind
   * at the deadline or when the service stops.
   */
  reached(position: number, timeoutMs: number): Promise<boolean> {
    const full = this.#waiters.size >= (this.options.maxWaiters ?? 1_000);
    if (this.#stopped || full) return Promise.resolve(false);
    this.#unlisten ??= this.options.wakeups.on("projection", () => void this.#read());
    this.#timer ??= setInterval(() => this.#tick(), this.options.pollMs ?? 250);
    const since = this.options.clock.now();
    const result = new Promise<boolean>((resolve) => {
      this.#waiters.add({ position, since, deadline: since + timeoutMs, resolve });
    });
    void this.#read();
    return result;
  }

  stop(): void {
    this.#stopped = true;
    this.#unlisten?.();
    clearInterval(this.#timer);
    for (const waiter of this.#waiters) this.#end(waiter, false);
  }

  #tick(): void {
    const now = this.options.clock.now();
    for (const waiter of this.#waiters) if (waiter.deadline <= now) this.#end(waiter, false);
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#reading) {
      this.#isRepeated = true;
      return;
    }
    this.#reading = true;
    try {
      do {
        this.#isRepeated = false;
        if (this.#waiters.size === 0) break;
        this.#evaluate(await readProjection(this.options.db));
      } while (this.#isRepeated);
    } catch (error) {
      this.options.log.warn("position of the graph could not be read", { error });
    } finally {
      this.#reading = false;
    }
  }

  #evaluate(status: ProjectionStatus | undefined): void {
    const now = this.options.clock.now();
    for (const waiter of this.#waiters) {
      if (status && status.position >= waiter.position) this.#end(waiter, true);
      // Without any report yet, the projector is only just starting.
      else if (!status) continue;
      else if (status.state !== "running") this.#end(waiter, false);
      else if (status.silentMs > silentMs && now - waiter.since > graceMs) this.#end(waiter, false);
    }
  }

  #end(waiter: Waiter, reached: boolean): void {
    this.#waiters.delete(waiter);
    waiter.resolve(reached);
  }
}
