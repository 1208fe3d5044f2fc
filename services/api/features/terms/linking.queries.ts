import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

const lockStatement = statement<{ id: number }>("term-hold")`
  SELECT id FROM term WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE`;

/** Those of the terms that exist; nobody can delete or rename them until the transaction ends. */
export async function lockTerms(tx: Transaction, ids: number[]): Promise<Set<number>> {
  return new Set((await tx.query(lockStatement, [ids])).map(({ id }) => id));
}

const add = statement("entity-term-add")`
  INSERT INTO entity_term (entity_id, term_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
  RETURNING term_id`;

/** Links a locked entity with a term; false when it is linked by hand already. */
export async function addToEntity(tx: Transaction, entity: number, term: number) {
  return (await tx.query(add, [entity, term])).length > 0;
}

const count = statement<{ count: number }>("entity-term-count")`
  SELECT count(*)::int AS count FROM entity_term WHERE entity_id = $1`;

/** How many terms an entity is linked with by hand. */
export async function countOfEntity(tx: Transaction, entity: number): Promise<number> {
  return (await tx.query(count, [entity]))[0]!.count;
}

const ofEntity = statement<JsonRow>("entity-term-json")`
  SELECT json_linked_term(t, n, l.mentioned)::text AS json
    FROM entity_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.entity_id = $1 AND l.term_id = $2`;

/** LinkedTerm of an entity as JSON text; undefined when it is not linked with the term. */
export async function linkOfEntity(tx: Transaction, entity: number, term: number) {
  return (await tx.query(ofEntity, [entity, term]))[0]?.json;
}

const remove = statement("entity-term-remove")`
  DELETE FROM entity_term WHERE entity_id = $1 AND term_id = $2 RETURNING term_id`;

/** Takes a link by hand from a locked entity; false when there is none. */
export async function removeFromEntity(tx: Transaction, entity: number, term: number) {
  return (await tx.query(remove, [entity, term])).length > 0;
}

const join = statement("term-link-add")`
  INSERT INTO term_link (term_id, other_id) VALUES (least($1::bigint, $2), greatest($1::bigint, $2))
  ON CONFLICT DO NOTHING RETURNING term_id`;

/** Links two terms that are held; false when they are linked by hand already. */
export async function joinTerms(tx: Transaction, term: number, other: number): Promise<boolean> {
  return (await tx.query(join, [term, other])).length > 0;
}

const ofTerm = statement<JsonRow>("term-link-json")`
  SELECT json_linked_term(t, n, l.mentioned)::text AS json
    FROM term_linked_term l JOIN term t ON t.id = l.other_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.term_id = $1 AND l.other_id = $2`;

/** LinkedTerm of a term as JSON text; undefined when they are not linked. */
export async function linkOfTerm(tx: Transaction, term: number, other: number) {
  return (await tx.query(ofTerm, [term, other]))[0]?.json;
}

const unlinkStatement = statement("term-link-remove")`
  DELETE FROM term_link
   WHERE (term_id, other_id) = (least($1::bigint, $2), greatest($1::bigint, $2)) RETURNING term_id`;

/** Takes a link by hand from two terms; false when there is none. */
export async function deleteTermLink(
  tx: Transaction,
  term: number,
  other: number,
): Promise<boolean> {
  return (await tx.query(unlinkStatement, [term, other])).length > 0;
}
