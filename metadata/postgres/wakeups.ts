import pg from "pg";
import { type Clock, systemClock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import { backoff } from "#kit/retry.ts";

/** Called for every notification of a channel, and with an empty payload after a lost connection. */
export type OnWake = (payload: string) => void;

/**
 * Notifications from PostgreSQL (`LISTEN`) over a dedicated connection. They are hints only:
 * listeners must poll as well. Send one with `pg_notify(channel, payload)` in the transaction that
 * it announces.
 */
export class Wakeups {
  readonly #listeners = new Map<string, Set<OnWake>>();
  readonly #abort = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Starts listening; returns a function that stops it. */
  on(channel: string, wake: OnWake): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(wake));
    if (listeners.size === 1) void this.#listen(channel);
    this.#running ??= this.#run();
    return () => void listeners.delete(wake);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#client?.end().catch(() => {});
    await this.#running;
  }

  async #listen(channel: string): Promise<void> {
    await this.#client?.query(`LISTEN ${pg.escapeIdentifier(channel)}`).catch(() => {});
  }

  async #run(): Promise<void> {
    for (let attempt = 1; !this.#abort.signal.aborted; attempt++) {
      try {
        const lost = await this.#connect();
        attempt = 0;
        await lost;
      } catch (error) {
        if (!this.#abort.signal.aborted) this.log.warn("wake-ups interrupted", { error });
      }
      await this.clock.sleep(
        backoff(attempt + 1, { initial: 100, max: 2_000 }),
        this.#abort.signal,
      );
    }
  }

  /** Resolves once connected, with a promise that settles when the connection ends. */
  async #connect(): Promise<Promise<void>> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: "tributary wake-ups",
    });
    const lost = new Promise<void>((end, fail) => {
      client.on("error", fail);
      client.on("end", () => end());
    });
    lost.catch(() => {});
    client.on("notification", ({ channel, payload }) => this.#wake(channel, payload ?? ""));
    await client.connect();
    this.#client = client;
    // Closed while connecting, when there was no connection to end yet.
    if (this.#abort.signal.aborted) await client.end();
    for (const channel of this.#listeners.keys()) await this.#listen(channel);
    for (const channel of this.#listeners.keys()) this.#wake(channel, "");
    return lost.finally(() => this.#client = undefined);
  }

  #wake(channel: string, payload: string): void {
    for (const wake of this.#listeners.get(channel) ?? []) wake(payload);
  }
}
