import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import type { Change } from "#metadata/catalogue/changing.ts";
import {
  changingField,
  type Deps,
  type LockedField,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import { maxTerms } from "#services/api/features/dataset-fields/schemas.ts";
import { lockTerms } from "#services/api/features/terms/service.ts";
import * as queries from "#services/api/features/dataset-fields/terms.queries.ts";

/**
 * Links a field with a term; LinkedTerm as JSON text. Throws 404 for an unknown field or term, 400 (USR003) for a term
 * that it is linked with, and 400 for a field with as many as it may have.
 */
export function linkTerm(
  context: Deps,
  actor: Actor,
  id: number,
  termId: number,
): Promise<string> {
  const lock = (tx: Change["tx"]) => lockTerms(tx, [termId]);
  return changingField(context, actor, id, lock, async (change, field) => {
    const { tx } = change;
    await withActivity(change, field, async (before) => {
      if (!await queries.addLink(tx, id, termId)) throw linkedAlready(field, before, termId);
      if (await queries.countLinks(tx, id) > maxTerms) throw tooMany(id);
    });
    return await queries.linkedJson(tx, termId);
  });
}

/** Takes a link by hand. Throws 404 for a field without it, and 400 for a term that only its description mentions. */
export function unlinkTerm(
  context: Deps,
  actor: Actor,
  id: number,
  termId: number,
): Promise<void> {
  return changingField(context, actor, id, nothing, async (change, field) => {
    await withActivity(change, field, async (before) => {
      if (await queries.removeLink(change.tx, id, termId)) return;
      if (before.some((term) => term.id === termId)) throw mentioned(field, before, termId);
      throw notFound(`Link of dataset field ${id} with term`, termId);
    });
  });
}

type Terms = Awaited<ReturnType<typeof queries.termStates>>;

async function withActivity(
  change: Change,
  { id, name, type, datasetId }: LockedField,
  work: (before: Terms) => Promise<void>,
): Promise<void> {
  const before = await queries.termStates(change.tx, id);
  await work(before);
  const after = await queries.termStates(change.tx, id);
  change.record({
    type: "DATASET_FIELD_TERM_ASSIGNMENT_UPDATED",
    entityId: datasetId,
    before: { id, name, type, terms: before },
    after: { id, name, type, terms: after },
  });
}

/** `orders:total (25)`. */
function nameOf(terms: Terms, termId: number): string {
  const term = terms.find(({ id }) => id === termId);
  return term ? `${term.namespace}:${term.name} (${termId})` : String(termId);
}

function linkedAlready({ id, name }: LockedField, terms: Terms, termId: number) {
  const term = nameOf(terms, termId);
  return conflict(`Dataset field ${name} (${id}) is linked with term ${term} already`, [
    { field: "term_id", message: "must not be a term that the field is linked with" },
  ]);
}

function tooMany(id: number) {
  return badRequest(`Dataset field ${id} would be linked with too many terms`, [
    { field: "term_id", message: `must not be the link beyond ${maxTerms}` },
  ]);
}

function mentioned({ id, name }: LockedField, terms: Terms, termId: number) {
  const term = nameOf(terms, termId);
  return badRequest(`The description of dataset field ${name} (${id}) mentions term ${term}`, [
    { field: "term_id", message: "must not be a term that the description mentions: change that" },
  ]);
}
