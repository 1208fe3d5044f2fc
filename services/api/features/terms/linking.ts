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
      const added = await tx.query(addToEntity, [entity, term]);
      if (added.length === 0) throw linkedAlready("term_id");
      const [links] = await tx.query(linksOfEntity, [entity]);
      if (links!.count > maxLinkedTerms) {
        const message = `must not be one more than ${maxLinkedTerms} terms of the entity`;
        throw badRequest(`term_id: ${message}`, [{ field: "term_id", message }]);
      }
    });
    return (await tx.query(linkOfEntity, [entity, term]))[0]!.json;
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
      const removed = await tx.query(removeFromEntity, [entity, term]);
      if (removed.length > 0) return;
      const links = await tx.query(linkOfEntity, [entity, term]);
      if (links.length > 0) throw mentionedOnly("the description");
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
    const joined = await tx.query(joinTerms, [term, other]);
    if (joined.length === 0) throw linkedAlready("linked_term_id");
    return (await tx.query(linkOfTerm, [term, other]))[0]!.json;
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
    const removed = await tx.query(deleteTermLink, [term, other]);
    if (removed.length > 0) return;
    const links = await tx.query(linkOfTerm, [term, other]);
    if (links.length > 0) throw mentionedOnly("a definition");
    throw notFound(`Link of term ${term} with term`, other);
  });
}

/** Throws 404 for the first that does not exist; nobody can delete the others until the transaction ends. */
export async function lockTerms(tx: Transaction, ids: number[]): Promise<void> {
  const known = new Set((await tx.query(lock, [ids])).map(({ id }) => id));
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

const lock = statement<{ id: number }>("term-hold")`
  SELECT id FROM term WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE`;

/** Links a locked entity with a term; no row when it is linked by hand already. */
const addToEntity = statement("entity-term-add")`
  INSERT INTO entity_term (entity_id, term_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
  RETURNING term_id`;

/** How many terms an entity is linked with by hand. */
const linksOfEntity = statement<{ count: number }>("entity-term-count")`
  SELECT count(*)::int AS count FROM entity_term WHERE entity_id = $1`;

/** LinkedTerm of an entity; no row when it is not linked with the term. */
const linkOfEntity = statement<JsonRow>("entity-term-json")`
  SELECT json_linked_term(t, n, l.mentioned)::text AS json
    FROM entity_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.entity_id = $1 AND l.term_id = $2`;

/** Takes a link by hand from a locked entity; no row if it was not linked. */
const removeFromEntity = statement("entity-term-remove")`
  DELETE FROM entity_term WHERE entity_id = $1 AND term_id = $2 RETURNING term_id`;

/** Links two locked terms; no row when they are linked by hand already. */
const joinTerms = statement("term-link-add")`
  INSERT INTO term_link (term_id, other_id) VALUES (least($1::bigint, $2), greatest($1::bigint, $2))
  ON CONFLICT DO NOTHING RETURNING term_id`;

/** LinkedTerm of a term; no row when they are not linked. */
const linkOfTerm = statement<JsonRow>("term-link-json")`
  SELECT json_linked_term(t, n, l.mentioned)::text AS json
    FROM term_linked_term l JOIN term t ON t.id = l.other_id
    JOIN namespace n ON n.id = t.namespace_id WHERE l.term_id = $1 AND l.other_id = $2`;

/** Takes a link by hand from two terms; no row if they were not linked. */
const deleteTermLink = statement("term-link-remove")`
  DELETE FROM term_link
   WHERE (term_id, other_id) = (least($1::bigint, $2), greatest($1::bigint, $2)) RETURNING term_id`;
