import { longestPause } from "#platform/ops/recovery.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import { type Logger, silentLogger } from "#kit/log.ts";
import { type Counter, type Metrics, noMetrics } from "#kit/metrics.ts";
import { backoff } from "#kit/retry.ts";
import type { Health } from "#kit/worker.ts";

/** The runtime's HTTP server on one address. */
export interface Server {
  /** Settles when the server has stopped accepting and its last connection has ended. */
  finished: Promise<void>;
  /** Stops accepting; resolves when running requests have ended. */
  shutdown(): Promise<void>;
}

export interface ListenerWatchdogOptions {
  /** Name of the listener in logs and metrics: `API`, `OTLP/HTTP receiver`. */
  name?: string;
  log?: Logger;
  metrics?: Metrics;
  clock?: Clock;
}

/** Milliseconds between two checks of an address that works. */
const probeMs = 500;
/** Milliseconds that an address must work after a failure before it counts as healthy. */
const calmMs = 10_000;

/**
 * Keeps an address open. At the limit of open files the runtime's server stops accepting, but reports it only
 * when its last connection has ended; until then it serves the existing connections and refuses new ones. So
 * the keeper checks the address itself: while it is taken, our server still listens.
 */
export class ListenerWatchdog {
  readonly #servers = new Set<Server>();
  readonly #abort = new AbortController();
  readonly #options: Required<ListenerWatchdogOptions>;
  readonly #failures: Counter;
  #lastError: { state: string; detail: string; since: number } | undefined;
  #inARow = 0;

  /**
   * `open` starts a server where `first` listens; `isFree` says whether nobody listens there. Both throw when
   * no file descriptor is left.
   */
  constructor(
    first: Server,
    private readonly open: () => Server,
    private readonly isFree: () => boolean,
    options: ListenerWatchdogOptions = {},
  ) {
    const defaults = { name: "HTTP", log: silentLogger, metrics: noMetrics, clock: systemClock };
    this.#options = { ...defaults, ...options };
    this.#failures = this.#options.metrics.counter(
      "tributary_http_listen_failures_total",
      "Times that a listening address did not accept connections or could not be reopened",
      ["listener"],
    );
    this.#add(first);
    void this.#watch(this.#abort.signal);
  }

  health(): Health {
    if (!this.#lastError) return { ready: true, state: "listening" };
    const { state, detail } = this.#lastError;
    return { ready: false, state, detail };
  }

  /** Resolves when all requests of every server have ended. */
  async shutdown(): Promise<void> {
    this.#abort.abort();
    // A server that had stopped accepting rejects now; that failure is already known.
    await Promise.allSettled([...this.#servers].map((server) => server.shutdown()));
  }

  #add(server: Server): void {
    this.#servers.add(server);
    const ended = () => void this.#servers.delete(server);
    // The reason needs no handling: it was reported before, or `shutdown` caused the end.
    server.finished.then(ended, ended);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const pause = backoff(this.#inARow, { initial: 100, max: longestPause("not_listening") });
      await clock.sleep(this.#inARow === 0 ? probeMs : pause, signal);
      if (signal.aborted) return;
      try {
        this.#probe();
      } catch (error) {
        this.#failed("not_listening", messageOf(error));
      }
    }
  }

  #probe(): void {
    if (!this.isFree()) {
      if (this.#servers.size > 0) this.#well();
      else this.#failed("port_taken", "another process listens there now");
      return;
    }
    this.#failed("accept_failed", "connections were refused for a moment");
    this.#add(this.open());
  }

  #well(): void {
    const { clock, log, name } = this.#options;
    this.#inARow = 0;
    if (!this.#lastError || clock.now() - this.#lastError.since < calmMs) return;
    this.#lastError = undefined;
    log.info("accepting connections again", { listener: name });
  }

  #failed(state: string, cause: string): void {
    const { clock, log, name } = this.#options;
    this.#inARow++;
    this.#failures.inc({ listener: name });
    const detail = `${cause}: too many connections for the limit of open files (ulimit -n)?`;
    if (!this.#lastError) log.error("not accepting connections", { listener: name, state, detail });
    this.#lastError = { state, detail, since: clock.now() };
  }
}
