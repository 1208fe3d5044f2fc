import type { Queryable, Transaction } from "#metadata/database.ts";

export interface Renamed extends Record<string, unknown> {
  id: number;
  kind: keyof typeof entitiesOf;
  subject_id: number;
  after_id: number;
}

const next = `
  SELECT id, kind, subject_id, after_id FROM search_refresh_queue
   ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;

/** The oldest rename that nobody else works on, locked; undefined when there is none. */
export async function nextRenamed(tx: Transaction): Promise<Renamed | undefined> {
  return (await tx.query<Renamed>(next, [], "search-refresh-next"))[0];
}

/** Of each kind, the entities that show its name: $1 the renamed thing, $2 the last id done. */
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

/** The next entities of a rename, in order of id. */
export async function nextEntities(
  tx: Transaction,
  renamed: Renamed,
  most: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM (${entitiesOf[renamed.kind]}) found ORDER BY id LIMIT $3`,
    [renamed.subject_id, renamed.after_id, most],
    `search-refresh-${renamed.kind}`,
  );
  return rows.map((row) => row.id);
}

export async function refreshDocuments(tx: Transaction, ids: number[]): Promise<void> {
  await tx.query("SELECT refresh_search_documents($1)", [ids], "search-refresh-documents");
}

/** Remembers how far a rename is. */
export async function advance(tx: Transaction, id: number, afterId: number): Promise<void> {
  await tx.query(
    "UPDATE search_refresh_queue SET after_id = $2 WHERE id = $1",
    [id, afterId],
    "search-refresh-advance",
  );
}

export async function finish(tx: Transaction, id: number): Promise<void> {
  await tx.query("DELETE FROM search_refresh_queue WHERE id = $1", [id], "search-refresh-finish");
}

const cut = "SELECT count(*)::int AS count FROM search_document WHERE cut_bytes > 0";

/** Entities with more text than they can be found by. */
export async function countCut(db: Queryable): Promise<number> {
  return (await db.query<{ count: number }>(cut, [], "search-documents-cut"))[0]!.count;
}
