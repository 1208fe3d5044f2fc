import { messageOf } from "#kit/errors.ts";
import type { Worker } from "#kit/worker.ts";
import {
  type DocumentKind,
  documentKinds,
  refreshDocuments,
} from "#metadata/catalogue/search-documents.ts";
import type { Database } from "#metadata/postgres/database.ts";
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
    const [renamed] = await tx.query(nextRenamed, [[...pages.keys()]]);
    // What waited longest comes first, so that renames without end hold nothing else back.
    const [waiting] = await tx.query(takeWaiting, [documentKinds, renamed?.queued_at ?? null]);
    if (waiting) {
      await refreshDocuments(tx, waiting.document, waiting.ids);
      return waiting.ids.length;
    }
    if (!renamed) return null;
    const { id, document, kind, subject_id, after_id } = renamed;
    const affected = await tx.query(pages.get(keyOf(document, kind))!, [subject_id, after_id, max]);
    const ids = affected.map((row) => row.id);
    if (ids.length > 0) await refreshDocuments(tx, document, ids);
    if (ids.length < max) await tx.query(finish, [id]);
    else await tx.query(advance, [id, ids.at(-1)!]);
    return ids.length;
  });
}

/** Updates search documents after renames and changes of many entities, in the one process that holds the lease. */
export function searchRefreshWorker(deps: Deps): Worker {
  const { db, wakeups, log, metrics } = deps;
  const refreshed = metrics.counter(
    "tributary_search_refreshed_total",
    "Search documents rebuilt soon after a rename or a change of many entities",
  );
  const cut = metrics.gauge(
    "tributary_search_documents_cut",
    "Entities whose text is longer than what search indexes",
  );
  let lastError: string | undefined;
  const loop = new LeasedLoop({
    ...deps,
    lease: { name: leaseName, ttlMs: leaseTtl },
    standbyMs: pollEvery,
    retry: { initial: pollEvery, max: pollEvery },
    listen: (wake) => wakeups.on("search_refresh", wake),
    async lead() {
      const done = await refreshBatch(db);
      lastError = undefined;
      if (done === null) {
        cut.set({}, (await db.query(countCut))[0]!.count);
        return pollEvery;
      }
      refreshed.inc({}, done);
      return 0;
    },
    failed: (error) => {
      lastError = messageOf(error);
      log.warn("search documents wait to be refreshed", { error });
    },
  });
  return {
    name: "search-refresh",
    start: (onCrash) => loop.start(onCrash),
    stop: () => loop.stop(),
    health() {
      const state = loop.leading ? "running" : "standby";
      return { ready: true, state, ...(lastError && { detail: lastError }) };
    },
  };
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
/** Locks the oldest rename that no other process works on; no row if all are done. */
const nextRenamed = statement<Rename>("search-refresh-next")`
  SELECT id, kind, document, subject_id, after_id, queued_at FROM search_refresh_queue
   WHERE document || ':' || kind = ANY($1::text[])
   ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

interface QueuedDocuments {
  document: DocumentKind;
  ids: number[];
}

/**
 * Takes the oldest portion of documents that wait by themselves; no row if no document waits, or none has waited
 * since before $2.
 */
const takeWaiting = statement<QueuedDocuments>("search-documents-next")`
  DELETE FROM search_document_queue WHERE id = (
    SELECT id FROM search_document_queue WHERE document = ANY($1::text[])
     ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
     AND ($2::timestamptz IS NULL OR queued_at < $2)
  RETURNING document, ids`;

/** Stores the progress of a rename. */
const advance = statement("search-refresh-advance")`
  UPDATE search_refresh_queue SET after_id = $2 WHERE id = $1`;

const finish = statement("search-refresh-finish")`DELETE FROM search_refresh_queue WHERE id = $1`;

/** The number of entities whose text exceeds what is searchable. */
const countCut = statement<{ count: number }>("search-documents-cut")`
  SELECT count(*)::int AS count FROM search_document WHERE cut_bytes > 0`;
