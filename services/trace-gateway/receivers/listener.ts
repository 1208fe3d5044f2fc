import type { Context } from "#platform/context.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { type Address, type HttpListener, isPortTaken, listen } from "#platform/http/runtime.ts";

interface ListenerOptions extends Pick<Context, "log" | "metrics"> {
  name: string;
  /** `client` is the address that the request came from. */
  handle: (request: Request, client: string) => Promise<Response>;
  /** Called at each start, since certificates are renewed. */
  address: () => Address;
  /** The configuration key of the port. */
  portKey: string;
}

/** Milliseconds between two attempts at a port that is taken. */
const retryMs = longestPause("port_taken");
/** Milliseconds that requests are given to end. */
const graceMs = 5_000;

/**
 * A receiver's own address. While another process has the port it waits for it, and says so in its
 * health: traces are not worth a catalogue that does not start.
 */
export class Listener implements Worker {
  readonly name: string;
  #listening: HttpListener | undefined;
  #waiting: string | undefined;
  #abort = new AbortController();

  constructor(private readonly options: ListenerOptions) {
    this.name = options.name;
  }

  /** Where it listens; undefined while the port is taken. */
  get url(): string | undefined {
    return this.#listening?.url;
  }

  async start(onCrash: (error: unknown) => void): Promise<void> {
    await this.stop();
    this.#abort = new AbortController();
    if (!this.#attempt()) void this.#persist(this.#abort.signal).catch(onCrash);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    const listening = this.#listening;
    this.#listening = undefined;
    await listening?.stop(graceMs);
  }

  health(): Health {
    if (this.#listening) return { detail: this.#listening.url, ...this.#listening.health() };
    if (this.#waiting === undefined) return { ready: false, state: "stopped" };
    return { ready: false, state: "port_taken", detail: this.#waiting };
  }

  async #persist(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await systemClock.sleep(retryMs, signal);
      if (signal.aborted || this.#attempt()) return;
    }
  }

  /** False when the port is taken; throws for every other failure. */
  #attempt(): boolean {
    const { log, metrics, name, handle, portKey } = this.options;
    const address = this.options.address();
    try {
      this.#listening = listen(handle, address, { name, log, metrics });
    } catch (error) {
      if (!isPortTaken(error)) {
        const at = `${address.host}:${address.port}`;
        throw new Error(`${name} cannot listen on ${at}: ${messageOf(error)}`, { cause: error });
      }
      const { host, port } = address;
      if (this.#waiting === undefined) {
        log.warn("port taken", { worker: name, host, port, portKey });
      }
      this.#waiting = `port ${address.port} is taken: free it, or set ${portKey}`;
      return false;
    }
    this.#waiting = undefined;
    log.info("receiver listens", { worker: name, url: this.#listening.url });
    return true;
  }
}
