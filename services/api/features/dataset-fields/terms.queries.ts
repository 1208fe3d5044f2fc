import type { TermState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

const add = statement<{ id: number }>("field-term-add")`
  INSERT INTO field_term (field_id, term_id) VALUES ($1, $2)
  ON CONFLICT DO NOTHING RETURNING term_id AS id`;

/** Links a field with a term by hand; false when it was. */
export async function addLink(tx: Transaction, field: number, term: number): Promise<boolean> {
  return (await tx.query(add, [field, term])).length > 0;
}

const remove = statement<{ id: number }>("field-term-remove")`
  DELETE FROM field_term WHERE field_id = $1 AND term_id = $2 RETURNING term_id AS id`;

/** Takes a link by hand; false when there was none. */
export async function removeLink(tx: Transaction, field: number, term: number): Promise<boolean> {
  return (await tx.query(remove, [field, term])).length > 0;
}

const count = statement<{ count: number }>("field-term-count")`
  SELECT count(*) AS count FROM field_term WHERE field_id = $1`;

/** How many terms a field is linked with by hand. */
export async function countLinks(tx: Transaction, field: number): Promise<number> {
  return (await tx.query(count, [field]))[0]!.count;
}

const states = statement<{ terms: TermState[] }>("field-term-states")`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'namespace', n.name,
           'is_description_link', l.mentioned) ORDER BY n.name, t.name), '[]') AS terms
    FROM field_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id
   WHERE l.field_id = $1`;

/** The terms of a field, however linked, as the activity feed lists them. */
export async function termStates(tx: Transaction, field: number): Promise<TermState[]> {
  return (await tx.query(states, [field]))[0]!.terms;
}

const linked = statement<JsonRow>("field-term-linked")`
  SELECT json_linked_term(t, n, false)::text AS json
    FROM term t JOIN namespace n ON n.id = t.namespace_id WHERE t.id = $1`;

/** LinkedTerm of a link by hand, as JSON text. */
export async function linkedJson(tx: Transaction, term: number): Promise<string> {
  return (await tx.query(linked, [term]))[0]!.json;
}
