import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { dependants } from "#services/api/dependants.queries.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("namespace-list")`
  WITH found AS (SELECT n FROM namespace n WHERE n.name ILIKE $1)
  ${listOfFound({ each: "json_namespace(n)", by: "(n).name", window: ["$2", "$3"] })}`;

/** NamespaceList as JSON text, by name; `pattern` is for ILIKE. */
export async function namespaceList(
  db: Queryable,
  pattern: string,
  page: PageWindow,
): Promise<string> {
  const values = [pattern, page.limit, page.offset];
  return (await db.query(list, values))[0]!.json;
}

type NamespaceRow = { id: number; name: string };

const byId = statement<NamespaceRow>("namespace-by-id")`
  SELECT id, name FROM namespace WHERE id = $1`;

export async function namespaceById(db: Queryable, id: number): Promise<NamespaceRow | undefined> {
  return (await db.query(byId, [id]))[0];
}

const insert = statement<NamespaceRow>("namespace-insert")`
  INSERT INTO namespace (name, folded)
  SELECT $1::text, k.key FROM (SELECT name_key($1::text)) AS k (key)
   WHERE NOT EXISTS (SELECT FROM namespace n WHERE n.folded = k.key)
  ON CONFLICT DO NOTHING RETURNING id, name`;

/** The new namespace; undefined when the name, in any spelling, is taken. */
export async function insertNamespace(tx: Transaction, name: string) {
  return (await tx.query(insert, [name]))[0];
}

const lock = statement<NamespaceRow & { folded: string }>("namespace-lock")`
  SELECT id, name, folded FROM namespace WHERE id = $1 FOR UPDATE`;

/** Locks a namespace against all that begins to refer to it, or to mention terms of it. */
export async function lockNamespace(tx: Transaction, id: number) {
  return (await tx.query(lock, [id]))[0];
}

const rename = statement<NamespaceRow>("namespace-rename")`
  UPDATE namespace SET name = $2, updated_at = now() WHERE id = $1 RETURNING id, name`;

export async function renameNamespace(tx: Transaction, id: number, name: string) {
  return (await tx.query(rename, [id, name]))[0];
}

// Deleted entities that await their purge must not block the deletion of their namespace.
const release = statement("namespace-release")`
  UPDATE data_entity SET namespace_id = NULL WHERE id = ANY(ARRAY(
    SELECT id FROM data_entity WHERE namespace_id = $1 AND NOT is_live(status)
     ORDER BY id FOR NO KEY UPDATE))`;

const remove = statement("namespace-delete")`DELETE FROM namespace WHERE id = $1 RETURNING id`;

/** What keeps a namespace from being deleted. */
export const inNamespace = dependants("namespace", {
  "data sources": "SELECT name FROM data_source WHERE namespace_id = $1",
  collectors: "SELECT name FROM collector WHERE namespace_id = $1",
  terms: "SELECT name FROM term WHERE namespace_id = $1",
  "lookup tables": "SELECT name FROM lookup_table WHERE namespace_id = $1",
  groups: `
    SELECT coalesce(internal_name, external_name, catrn) AS name FROM data_entity
     WHERE namespace_id = $1 AND is_live(status)`,
});

/**
 * Deletes the namespace; its deleted groups remain. False when it does not exist. Fails (23503)
 * while it has a source, a collector, a term or a live group.
 */
export async function deleteNamespace(tx: Transaction, id: number): Promise<boolean> {
  await tx.query(release, [id]);
  return (await tx.query(remove, [id])).length > 0;
}
