import { type DocumentKind, documentKinds } from "#metadata/catalogue/search-documents.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A rename that documents of one kind have to follow. */
export interface Rename {
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
export async function nextRenamed(tx: Transaction): Promise<Rename | undefined> {
  return (await tx.query(next, [[...pages.keys()]]))[0];
}

/** The next whose documents are affected by a rename, in order of id. */
export async function nextAffected(
  tx: Transaction,
  renamed: Rename,
  max: number,
): Promise<number[]> {
  const page = pages.get(keyOf(renamed.document, renamed.kind))!;
  const rows = await tx.query(page, [renamed.subject_id, renamed.after_id, max]);
  return rows.map((row) => row.id);
}

/** Documents that wait to be rebuilt. */
export interface QueuedDocuments {
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
export async function takeWaiting(
  tx: Transaction,
  before?: Date,
): Promise<QueuedDocuments | undefined> {
  return (await tx.query(nextWaiting, [documentKinds, before ?? null]))[0];
}

const goOn = statement("search-refresh-advance")`
  UPDATE search_refresh_queue SET after_id = $2 WHERE id = $1`;

/** Stores the progress of a rename. */
export async function advance(tx: Transaction, id: number, afterId: number): Promise<void> {
  await tx.query(goOn, [id, afterId]);
}

const remove = statement("search-refresh-finish")`DELETE FROM search_refresh_queue WHERE id = $1`;

export async function finish(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}

const cut = statement<{ count: number }>("search-documents-cut")`
  SELECT count(*)::int AS count FROM search_document WHERE cut_bytes > 0`;

/** The number of entities whose text exceeds what is searchable. */
export async function countCut(db: Queryable): Promise<number> {
  return (await db.query(cut))[0]!.count;
}
