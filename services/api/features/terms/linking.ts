import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { termStates } from "#metadata/catalogue/terms.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/terms/linking.queries.ts";

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
      if (!await queries.addToEntity(tx, entity, term)) throw linkedAlready("term_id");
      if (await queries.countOfEntity(tx, entity) > maxLinkedTerms) {
        const message = `must not be one more than ${maxLinkedTerms} terms of the entity`;
        throw badRequest(`term_id: ${message}`, [{ field: "term_id", message }]);
      }
    });
    return (await queries.linkOfEntity(tx, entity, term))!;
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
      if (await queries.removeFromEntity(tx, entity, term)) return;
      if (await queries.linkOfEntity(tx, entity, term)) throw mentionedOnly("the description");
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
    if (!await queries.joinTerms(tx, term, other)) throw linkedAlready("linked_term_id");
    return (await queries.linkOfTerm(tx, term, other))!;
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
    if (await queries.deleteTermLink(tx, term, other)) return;
    if (await queries.linkOfTerm(tx, term, other)) throw mentionedOnly("a definition");
    throw notFound(`Link of term ${term} with term`, other);
  });
}

/** Throws 404 for the first that does not exist; nobody can delete the others until the transaction ends. */
export async function lockTerms(tx: Transaction, ids: number[]): Promise<void> {
  const known = await queries.lockTerms(tx, ids);
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
