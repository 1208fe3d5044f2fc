import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

export interface Renamed {
  id: number;
  kind: keyof typeof pages;
  subject_id: number;
  after_id: number;
}

const next = statement<Renamed>("search-refresh-next")`
  SELECT id, kind, subject_id, after_id FROM search_refresh_queue
   ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** Locks the oldest rename that no other process works on; undefined when there is none. */
export async function nextRenamed(tx: Transaction): Promise<Renamed | undefined> {
  return (await tx.query(next))[0];
}

/** For each kind of renamed thing, the entities that show its name: $1 its id, $2 the last id done. */
const entitiesOf = {
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
};

const page = (kind: keyof typeof entitiesOf) =>
  statement<{ id: number }>(`search-refresh-${kind}`)`
  SELECT id FROM (${entitiesOf[kind]}) found ORDER BY id LIMIT $3`;
const pages = {
  namespace: page("namespace"),
  data_source: page("data_source"),
  tag: page("tag"),
  owner: page("owner"),
  title: page("title"),
};

/** The next entities affected by a rename, in order of id. */
export async function nextEntities(
  tx: Transaction,
  renamed: Renamed,
  most: number,
): Promise<number[]> {
  const rows = await tx.query(pages[renamed.kind], [renamed.subject_id, renamed.after_id, most]);
  return rows.map((row) => row.id);
}

const nextWaiting = statement<{ ids: number[] }>("search-documents-next")`
  DELETE FROM search_document_queue WHERE id = (
    SELECT id FROM search_document_queue ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING entity_ids AS ids`;

/** Takes the oldest portion of entities that wait by themselves; undefined when there is none. */
export async function takeWaiting(tx: Transaction): Promise<number[] | undefined> {
  return (await tx.query(nextWaiting))[0]?.ids;
}

const documents = statement("search-refresh-documents")`SELECT refresh_search_documents($1)`;

export async function refreshDocuments(tx: Transaction, ids: number[]): Promise<void> {
  await tx.query(documents, [ids]);
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
