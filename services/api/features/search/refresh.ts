import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import type { Database } from "#metadata/database.ts";
import { retryingTransaction } from "#metadata/retrying.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/search/refresh.queries.ts";

const leaseName = "search-refresh";
const leaseTtl = 30_000;
/** Milliseconds between two looks at the queue when nobody rings. */
const pollEvery = 10_000;
const lot = 500;

type Tools = Pick<Context, "db" | "leases" | "wakeups" | "clock" | "log" | "metrics">;

/**
 * Refreshes one lot of the documents that wait because something was renamed, in one transaction;
 * returns how many, or null when nothing waits.
 */
export function refreshLot(db: Database, most = lot): Promise<number | null> {
  return retryingTransaction(db, async (tx) => {
    const renamed = await queries.nextRenamed(tx);
    if (!renamed) return null;
    const ids = await queries.nextEntities(tx, renamed, most);
    if (ids.length > 0) await queries.refreshDocuments(tx, ids);
    if (ids.length < most) await queries.finish(tx, renamed.id);
    else await queries.advance(tx, renamed.id, ids.at(-1)!);
    return ids.length;
  });
}

/** Brings search documents in line with renamed things, in the one process that holds the lease. */
export function searchRefreshWorker(context: Tools): Worker {
  return new SearchRefreshWorker(context);
}

class SearchRefreshWorker implements Worker {
  readonly name = "search-refresh";
  #abort = new AbortController();
  #wake = new AbortController();
  #loop: Promise<void> | undefined;
  #quiet: (() => void) | undefined;
  #state = "standby";
  #trouble: string | undefined;

  constructor(private readonly tools: Tools) {}

  start(onCrash: (error: unknown) => void): Promise<void> {
    if (this.#loop) return Promise.resolve();
    this.#abort = new AbortController();
    this.#quiet = this.tools.wakeups.on("search_refresh", () => this.#wake.abort());
    this.#loop = this.#run().catch(onCrash);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#quiet?.();
    await this.#loop;
    this.#loop = undefined;
    if (this.#state === "running") await this.tools.leases.release(leaseName).catch(() => {});
    this.#state = "standby";
  }

  health(): Health {
    return { ready: true, state: this.#state, ...(this.#trouble && { detail: this.#trouble }) };
  }

  async #run(): Promise<void> {
    const { clock, log } = this.tools;
    while (!this.#abort.signal.aborted) {
      this.#wake = new AbortController();
      try {
        await this.#drain();
        this.#trouble = undefined;
      } catch (error) {
        this.#trouble = messageOf(error);
        log.warn("search documents wait to be refreshed", { error });
      }
      await clock.sleep(pollEvery, AbortSignal.any([this.#abort.signal, this.#wake.signal]));
    }
  }

  /** Works until nothing waits, the lease is another's, or the process is stopping. */
  async #drain(): Promise<void> {
    const { db, leases, metrics } = this.tools;
    const refreshed = metrics.counter(
      "tributary_search_refreshed_total",
      "Search documents rebuilt because something that they name was renamed",
    );
    while (!this.#abort.signal.aborted) {
      const held = await leases.acquire(leaseName, leaseTtl);
      this.#state = held ? "running" : "standby";
      if (!held) return;
      const done = await refreshLot(db);
      if (done === null) return;
      refreshed.inc({}, done);
    }
  }
}
