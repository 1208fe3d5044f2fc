import { messageOf } from "#kit/errors.ts";
import type { Counter, Gauge } from "#kit/metrics.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { refreshDocuments } from "#metadata/catalogue/search-documents.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { LeasedLoop } from "#metadata/postgres/leased-loop.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/search/refresh.queries.ts";

const leaseName = "search-refresh";
const leaseTtl = 30_000;
/** Milliseconds between two checks of the queue without a wake-up. */
const pollEvery = 10_000;
const batchSize = 500;

type Deps = Pick<Context, "db" | "leases" | "wakeups" | "clock" | "log" | "metrics">;

/**
 * Refreshes one batch of the search documents that are outdated after a rename, or after a change of
 * many things, in one transaction; returns their number, or null when there is no work.
 */
export function refreshBatch(db: Database, max = batchSize): Promise<number | null> {
  // change-ok -- what it writes follows from what others have changed
  return retryingTransaction(db, async (tx) => {
    const renamed = await queries.nextRenamed(tx);
    // What waited longest comes first, so that renames without end hold nothing else back.
    const waiting = await queries.takeWaiting(tx, renamed?.queued_at);
    if (waiting) {
      await refreshDocuments(tx, waiting.document, waiting.ids);
      return waiting.ids.length;
    }
    if (!renamed) return null;
    const ids = await queries.nextAffected(tx, renamed, max);
    if (ids.length > 0) await refreshDocuments(tx, renamed.document, ids);
    if (ids.length < max) await queries.finish(tx, renamed.id);
    else await queries.advance(tx, renamed.id, ids.at(-1)!);
    return ids.length;
  });
}

/** Updates search documents after renames and changes of many entities, in the one process that holds the lease. */
export function searchRefreshWorker(context: Deps): Worker {
  return new SearchRefreshWorker(context);
}

class SearchRefreshWorker implements Worker {
  readonly name = "search-refresh";
  readonly #loop: LeasedLoop;
  readonly #refreshed: Counter;
  readonly #cut: Gauge;
  #lastError: string | undefined;

  constructor(private readonly deps: Deps) {
    const { wakeups, log } = deps;
    this.#refreshed = deps.metrics.counter(
      "tributary_search_refreshed_total",
      "Search documents rebuilt soon after a rename or a change of many entities",
    );
    this.#cut = deps.metrics.gauge(
      "tributary_search_documents_cut",
      "Entities whose text is longer than what search indexes",
    );
    this.#loop = new LeasedLoop({
      ...deps,
      lease: { name: leaseName, ttlMs: leaseTtl },
      standbyMs: pollEvery,
      retry: { initial: pollEvery, max: pollEvery },
      listen: (wake) => wakeups.on("search_refresh", wake),
      lead: () => this.#refresh(),
      failed: (error) => {
        this.#lastError = messageOf(error);
        log.warn("search documents wait to be refreshed", { error });
      },
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    const state = this.#loop.leading ? "running" : "standby";
    return { ready: true, state, ...(this.#lastError && { detail: this.#lastError }) };
  }

  async #refresh(): Promise<number> {
    const done = await refreshBatch(this.deps.db);
    this.#lastError = undefined;
    if (done === null) {
      this.#cut.set({}, await queries.countCut(this.deps.db));
      return pollEvery;
    }
    this.#refreshed.inc({}, done);
    return 0;
  }
}
