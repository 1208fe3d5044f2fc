import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listOfFound } from "#services/api/list-json.ts";

/**
 * TermRefList by name, then by the name of the namespace. $1 pattern for ILIKE, $2 and $3 first and last time (RFC 3339)
 * of the last change, all of them null for any; $4 limit, $5 offset.
 */
export const list = statement<JsonRow>("term-list")`
  WITH found AS (
    SELECT t, n FROM term t JOIN namespace n ON n.id = t.namespace_id
     WHERE ($1::text IS NULL OR t.name ILIKE $1)
       AND ($2::timestamptz IS NULL OR t.updated_at >= $2)
       AND ($3::timestamptz IS NULL OR t.updated_at <= $3))
  ${listOfFound({ each: "json_term_ref(t, n)", by: "(t).name, (n).name", window: ["$4", "$5"] })}`;

/** TermDetails; no row for an unknown term. */
export const details = statement<JsonRow>("term-details")`
  SELECT json_term_details(id)::text AS json FROM term WHERE id = $1`;

/** TermRef, the names in any spelling; no row when there is no such term. */
export const named = statement<JsonRow>("term-named")`
  SELECT json_term_ref(t, n)::text AS json
    FROM namespace n JOIN term t ON t.namespace_id = n.id
   WHERE n.folded = (SELECT name_key($1)) AND t.folded = (SELECT name_key($2))
   ORDER BY n.name = $1 DESC, t.name = $2 DESC, n.is_duplicate, t.is_duplicate, t.id LIMIT 1`;

/** A term that the transaction has locked. */
interface LockedTerm {
  id: number;
  namespaceId: number;
  name: string;
  /** What all spellings of the name have in common. */
  folded: string;
  /** `namespace:name`. */
  mentionedAs: string;
}

const locking = (how: string, kind: string) =>
  statement<LockedTerm>(`term-lock-${kind}`)`
  SELECT t.id, t.namespace_id AS "namespaceId", t.name, t.folded,
         (SELECT n.name FROM namespace n WHERE n.id = t.namespace_id) || ':' || t.name AS "mentionedAs"
    FROM term t WHERE t.id = $1 FOR ${how}`;
const locks = { change: locking("NO KEY UPDATE", "change"), name: locking("UPDATE", "name") };

/**
 * Locks a term against other changes (`change`); `name`: also against all that begins to refer to it or to mention it,
 * as who renames or deletes it needs. Undefined for an unknown term.
 */
export async function lockTerm(
  tx: Transaction,
  id: number,
  against: keyof typeof locks,
): Promise<LockedTerm | undefined> {
  return (await tx.query(locks[against], [id]))[0];
}

/** $1 namespace, $2 name, $3 definition. No row when the namespace has a term of that name. */
export const insert = statement<{ id: number }>("term-insert")`
  INSERT INTO term (namespace_id, name, folded, definition)
  SELECT $1, $2::text, k.key, $3 FROM (SELECT name_key($2::text)) AS k (key)
   WHERE NOT EXISTS (SELECT FROM term t WHERE (t.namespace_id, t.folded) = ($1, k.key))
  ON CONFLICT DO NOTHING RETURNING id`;

/** Changes the locked term $1, as `insert` has them; what is as it was before is not changed. Fails (23505) when the name is taken. */
export const update = statement("term-update")`
  UPDATE term SET namespace_id = $2, name = $3, definition = $4, updated_at = now()
   WHERE id = $1 AND (namespace_id, name, definition) IS DISTINCT FROM ($2, $3, $4)`;

const leave = statement<{ id: number }>("term-leave-entities")`
  DELETE FROM entity_term WHERE term_id = $1 RETURNING entity_id AS id`;

const remove = statement("term-delete")`DELETE FROM term WHERE id = $1`;

/** Deletes a locked term with all that hangs on it; returns the entities that people linked with it. */
export async function deleteTerm(tx: Transaction, id: number): Promise<number[]> {
  const linked = await tx.query(leave, [id]);
  await tx.query(remove, [id]);
  return linked.map((row) => row.id);
}
