import { messageOf } from "#kit/errors.ts";
import type { Counter, Gauge } from "#kit/metrics.ts";
import type { Health, Worker } from "#kit/worker.ts";
import {
  type DocumentKind,
  documentKinds,
  refreshDocuments,
} from "#metadata/catalogue/search-documents.ts";
import type { Database, Queryable, Transaction } from "#metadata/postgres/database.ts";
import { LeasedLoop } from "#metadata/postgres/leases.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

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
    const renamed = await nextRenamed(tx);
    // What waited longest comes first, so that renames without end hold nothing else back.
    const waiting = await takeWaiting(tx, renamed?.queued_at);
    if (waiting) {
      await refreshDocuments(tx, waiting.document, waiting.ids);
      return waiting.ids.length;
    }
    if (!renamed) return null;
    const ids = await nextAffected(tx, renamed, max);
    if (ids.length > 0) await refreshDocuments(tx, renamed.document, ids);
    if (ids.length < max) await finish(tx, renamed.id);
    else await advance(tx, renamed.id, ids.at(-1)!);
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
      this.#cut.set({}, await countCut(this.deps.db));
      return pollEvery;
    }
    this.#refreshed.inc({}, done);
    return 0;
  }
}

/** A rename that documents of one kind have to follow. */
interface Rename {
  id: number;
  kind: string;
  document: DocumentKind;
  subject_id: number;
  after_id: number;
  queued_at: Date;
}

/** For each kind of documents, those that show a name, by the kind of what is renamed: $1 its id, $2 the last id done. */
const following: Record<DocumentKind, Record<string, string>> = {
  entity: {
    namespace: `
      SELECT e.id FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
       WHERE e.id > $2 AND coalesce(e.namespace_id, s.namespace_id) = $1`,
    data_source: "SELECT e.id FROM data_entity e WHERE e.id > $2 AND e.data_source_id = $1",
    tag: `
      SELECT entity_id AS id FROM entity_tag WHERE tag_id = $1 AND entity_id > $2
       UNION
      SELECT f.dataset_id FROM field_tag x JOIN dataset_field f ON f.id = x.field_id
       WHERE x.tag_id = $1 AND f.dataset_id > $2`,
    owner: "SELECT entity_id AS id FROM ownership WHERE owner_id = $1 AND entity_id > $2",
    title: "SELECT entity_id AS id FROM ownership WHERE title_id = $1 AND entity_id > $2",
    term: "SELECT entity_id AS id FROM entity_term WHERE term_id = $1 AND entity_id > $2",
  },
  term: {
    namespace: "SELECT id FROM term WHERE namespace_id = $1 AND id > $2",
    tag: "SELECT term_id AS id FROM term_tag WHERE tag_id = $1 AND term_id > $2",
    owner: "SELECT term_id AS id FROM term_ownership WHERE owner_id = $1 AND term_id > $2",
    title: "SELECT term_id AS id FROM term_ownership WHERE title_id = $1 AND term_id > $2",
  },
  query_example: {
    data_entity:
      "SELECT example_id AS id FROM entity_query_example WHERE entity_id = $1 AND example_id > $2",
  },
  // They show no name of anything else.
  lookup_table: {},
};

const keyOf = (document: string, kind: string) => `${document}:${kind}`;

const pageOf = (document: string, kind: string, found: string) =>
  statement<{ id: number }>(`search-refresh-${document}-${kind}`)`
  SELECT id FROM (${found}) found ORDER BY id LIMIT $3`;

const pages = new Map(
  Object.entries(following).flatMap(([document, kinds]) =>
    Object.entries(kinds).map(([kind, found]) =>
      [keyOf(document, kind), pageOf(document, kind, found)] as const
    )
  ),
);

// Documents queued by a newer release that this one does not know wait for that one.
const next = statement<Rename>("search-refresh-next")`
  SELECT id, kind, document, subject_id, after_id, queued_at FROM search_refresh_queue
   WHERE document || ':' || kind = ANY($1::text[])
   ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** Locks the oldest rename that no other process works on; undefined when there is none. */
async function nextRenamed(tx: Transaction): Promise<Rename | undefined> {
  return (await tx.query(next, [[...pages.keys()]]))[0];
}

/** The next whose documents are affected by a rename, in order of id. */
async function nextAffected(
  tx: Transaction,
  renamed: Rename,
  max: number,
): Promise<number[]> {
  const page = pages.get(keyOf(renamed.document, renamed.kind))!;
  const rows = await tx.query(page, [renamed.subject_id, renamed.after_id, max]);
  return rows.map((row) => row.id);
}

/** Documents that wait to be rebuilt. */
interface QueuedDocuments {
  document: DocumentKind;
  ids: number[];
}

const nextWaiting = statement<QueuedDocuments>("search-documents-next")`
  DELETE FROM search_document_queue WHERE id = (
    SELECT id FROM search_document_queue WHERE document = ANY($1::text[])
     ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     AND ($2::timestamptz IS NULL OR queued_at < $2)
  RETURNING document, ids`;

/**
 * Takes the oldest portion of documents that wait by themselves; undefined when there is none, or none that has waited
 * since before a time.
 */
async function takeWaiting(
  tx: Transaction,
  before?: Date,
): Promise<QueuedDocuments | undefined> {
  return (await tx.query(nextWaiting, [documentKinds, before ?? null]))[0];
}

const goOn = statement("search-refresh-advance")`
  UPDATE search_refresh_queue SET after_id = $2 WHERE id = $1`;

/** Stores the progress of a rename. */
async function advance(tx: Transaction, id: number, afterId: number): Promise<void> {
  await tx.query(goOn, [id, afterId]);
}

const remove = statement("search-refresh-finish")`DELETE FROM search_refresh_queue WHERE id = $1`;

async function finish(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}

const cut = statement<{ count: number }>("search-documents-cut")`
  SELECT count(*)::int AS count FROM search_document WHERE cut_bytes > 0`;

/** The number of entities whose text exceeds what is searchable. */
async function countCut(db: Queryable): Promise<number> {
  return (await db.query(cut))[0]!.count;
}
