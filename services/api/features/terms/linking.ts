import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { termStates } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

type Deps = Pick<Context, "db">;

/** Maximum number of terms that people link one entity with. */
export const maxLinkedTerms = 1_000;

/**
 * Links an entity with a term, by whose name it is found from now on; LinkedTerm as JSON text. Throws 404 for either,
 * 400 (USR003) when people linked them already, and 400 for an entity with too many terms.
 */
export function addEntityTerm(
  context: Deps,
  actor: Actor,
  entity: number,
  term: number,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    // The term before the entity, as the deletion of a term locks them.
    await lockTerms(tx, [term]);
    await lockEntity(tx, entity);
    await withActivity(change, entity, async () => {
      if (!await addToEntity(tx, entity, term)) throw linkedAlready("term_id");
      if (await countOfEntity(tx, entity) > maxLinkedTerms) {
        const message = `must not be one more than ${maxLinkedTerms} terms of the entity`;
        throw badRequest(`term_id: ${message}`, [{ field: "term_id", message }]);
      }
    });
    return (await linkOfEntity(tx, entity, term))!;
  });
}

/**
 * Takes a term from an entity. Throws 404 for the entity and when they are not linked, and 400 where only the
 * description mentions the term.
 */
export function removeEntityTerm(
  context: Deps,
  actor: Actor,
  entity: number,
  term: number,
): Promise<void> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lockEntity(tx, entity);
    await withActivity(change, entity, async () => {
      if (await removeFromEntity(tx, entity, term)) return;
      if (await linkOfEntity(tx, entity, term)) throw mentionedOnly("the description");
      throw notFound(`Link of data entity ${entity} with term`, term);
    });
  });
}

/**
 * Links two terms, which either shows; LinkedTerm of `other` as JSON text. Throws 404 for either, 400 (USR003) when
 * people linked them already, and 400 for a term with itself.
 */
export function linkTerms(
  context: Deps,
  actor: Actor,
  term: number,
  other: number,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockTerms(tx, [term, other]);
    if (term === other) {
      const message = "must not be the term itself";
      throw badRequest(`linked_term_id: ${message}`, [{ field: "linked_term_id", message }]);
    }
    if (!await joinTerms(tx, term, other)) throw linkedAlready("linked_term_id");
    return (await linkOfTerm(tx, term, other))!;
  });
}

/**
 * Takes the link from two terms. Throws 404 for the first, and when they are not linked; 400 where only a definition
 * mentions the other.
 */
export function unlinkTerms(
  context: Deps,
  actor: Actor,
  term: number,
  other: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockTerms(tx, [term]);
    if (await deleteTermLink(tx, term, other)) return;
    if (await linkOfTerm(tx, term, other)) throw mentionedOnly("a definition");
    throw notFound(`Link of term ${term} with term`, other);
  });
}

/** Throws 404 for the first that does not exist; nobody can delete the others until the transaction ends. */
export async function lockTerms(tx: Transaction, ids: number[]): Promise<void> {
  const known = await lockTermRows(tx, ids);
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound("Term", missing);
}

/** Records which terms the locked entity had before `work` and has after it. */
async function withActivity(change: Change, entityId: number, work: () => Promise<void>) {
  const before = await termStates(change.tx, entityId);
  await work();
  const after = await termStates(change.tx, entityId);
  change.record({ type: "TERM_ASSIGNMENT_UPDATED", entityId, before, after });
  change.searchable([entityId]);
}

function linkedAlready(field: string) {
  return conflict("They are linked already", [
    { field, message: "must not be a term that is linked already" },
  ]);
}

function mentionedOnly(where: string) {
  return badRequest(
    `They are linked because ${where} mentions the term: the link goes when that text changes`,
  );
}

const lockStatement = statement<{ id: number }>("term-hold")`
  SELECT id FROM term WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE`;

/** Those of the terms that exist; nobody can delete or rename them until the transaction ends. */
async function lockTermRows(tx: Transaction, ids: number[]): Promise<Set<number>> {
  return new Set((await tx.query(lockStatement, [ids])).map(({ id }) => id));
}

const add = statement("entity-term-add")`
  INSERT INTO entity_term (entity_id, term_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
  RETURNING term_id`;

/** Links a locked entity with a term; false when it is linked by hand already. */
async function addToEntity(tx: Transaction, entity: number, term: number) {
  return (await tx.query(add, [entity, term])).length > 0;
}

const count = statement<{ count: number }>("entity-term-count")`
  SELECT count(*)::int AS count FROM entity_term WHERE entity_id = $1`;

/** How many terms an entity is linked with by hand. */
async function countOfEntity(tx: Transaction, entity: number): Promise<number> {
  return (await tx.query(count, [entity]))[0]!.count;
}

const ofEntity = statement<JsonRow>("entity-term-json")`
  SELECT json_linked_term(t, n, l.mentioned)::text AS json
    FROM entity_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.entity_id = $1 AND l.term_id = $2`;

/** LinkedTerm of an entity as JSON text; undefined when it is not linked with the term. */
async function linkOfEntity(tx: Transaction, entity: number, term: number) {
  return (await tx.query(ofEntity, [entity, term]))[0]?.json;
}

const remove = statement("entity-term-remove")`
  DELETE FROM entity_term WHERE entity_id = $1 AND term_id = $2 RETURNING term_id`;

/** Takes a link by hand from a locked entity; false when there is none. */
async function removeFromEntity(tx: Transaction, entity: number, term: number) {
  return (await tx.query(remove, [entity, term])).length > 0;
}

const join = statement("term-link-add")`
  INSERT INTO term_link (term_id, other_id) VALUES (least($1::bigint, $2), greatest($1::bigint, $2))
  ON CONFLICT DO NOTHING RETURNING term_id`;

/** Links two terms that are held; false when they are linked by hand already. */
async function joinTerms(tx: Transaction, term: number, other: number): Promise<boolean> {
  return (await tx.query(join, [term, other])).length > 0;
}

const ofTerm = statement<JsonRow>("term-link-json")`
  SELECT json_linked_term(t, n, l.mentioned)::text AS json
    FROM term_linked_term l JOIN term t ON t.id = l.other_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.term_id = $1 AND l.other_id = $2`;

/** LinkedTerm of a term as JSON text; undefined when they are not linked. */
async function linkOfTerm(tx: Transaction, term: number, other: number) {
  return (await tx.query(ofTerm, [term, other]))[0]?.json;
}

const unlinkStatement = statement("term-link-remove")`
  DELETE FROM term_link
   WHERE (term_id, other_id) = (least($1::bigint, $2), greatest($1::bigint, $2)) RETURNING term_id`;

/** Takes a link by hand from two terms; false when there is none. */
async function deleteTermLink(
  tx: Transaction,
  term: number,
  other: number,
): Promise<boolean> {
  return (await tx.query(unlinkStatement, [term, other])).length > 0;
}
