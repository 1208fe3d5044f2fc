import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** Who owns a term, by which title. */
export interface TermOwnershipKey {
  ownerId: number;
  titleId: number | null;
}

const add = statement<{ id: number }>("term-ownership-add")`
  INSERT INTO term_ownership (term_id, owner_id, title_id) VALUES ($1, $2, $3)
  ON CONFLICT (term_id, owner_id) DO NOTHING RETURNING id`;

/** The id of the new ownership of a locked term; undefined when the owner has one. */
export async function addOwnership(tx: Transaction, term: number, of: TermOwnershipKey) {
  return (await tx.query(add, [term, of.ownerId, of.titleId]))[0]?.id;
}

const owners = statement<{ count: number }>("term-owner-count")`
  SELECT count(*)::int AS count FROM term_ownership WHERE term_id = $1`;

/** How many owners a locked term has. */
export async function countOwners(tx: Transaction, term: number): Promise<number> {
  return (await tx.query(owners, [term]))[0]!.count;
}

/** An ownership of the term that the path names. */
export interface TermOwnershipRef {
  id: number;
  termId: number;
}

const asJson = statement<JsonRow>("term-ownership-json")`
  SELECT json_term_ownership_of(o)::text AS json FROM term_ownership o
   WHERE o.id = $1 AND o.term_id = $2`;

/** Ownership as JSON text; undefined when the term has no such ownership. */
export async function ownershipJson(tx: Transaction, { id, termId }: TermOwnershipRef) {
  return (await tx.query(asJson, [id, termId]))[0]?.json;
}

const retitle = statement("term-ownership-retitle")`
  UPDATE term_ownership SET title_id = $2 WHERE id = $1`;

export async function setTitle(tx: Transaction, id: number, title: number | null): Promise<void> {
  await tx.query(retitle, [id, title]);
}

const remove = statement("term-ownership-remove")`
  DELETE FROM term_ownership WHERE id = $1 AND term_id = $2 RETURNING id`;

/** False when the term has no such ownership. */
export async function removeOwnership(tx: Transaction, { id, termId }: TermOwnershipRef) {
  return (await tx.query(remove, [id, termId])).length > 0;
}

const put = statement("term-tag-put")`
  WITH gone AS (DELETE FROM term_tag WHERE term_id = $1 AND tag_id <> ALL($2::bigint[]))
  INSERT INTO term_tag (term_id, tag_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`;

/** Makes these the tags of a locked term. */
export async function putTags(tx: Transaction, term: number, tags: number[]): Promise<void> {
  await tx.query(put, [term, tags]);
}

const tagsOf = statement<JsonRow>("term-tags")`SELECT json_term_tags($1)::text AS json`;

/** TagList of a term as JSON text. */
export async function termTags(tx: Transaction, term: number): Promise<string> {
  return (await tx.query(tagsOf, [term]))[0]!.json;
}
