import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { ensureAllNamed, ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import {
  maxOwners,
  type OwnershipForm,
  type OwnershipUpdateForm,
} from "#services/api/features/ownership/service.ts";
import * as people from "#services/api/features/terms/people.queries.ts";
import { lockTerm } from "#services/api/features/terms/queries.ts";

type Deps = Pick<Context, "db">;

/**
 * Gives a term an owner by name; owner and title are made if missing. Ownership as JSON text. Throws 404, and 400
 * (USR003) when it owns the term already, and 400 when the term has as many owners as it may.
 */
export function createOwnership(
  context: Deps,
  actor: Actor,
  termId: number,
  form: OwnershipForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lock(tx, termId);
    const of = {
      ownerId: (await ensureNamed(tx, "owner", form.owner_name))!,
      titleId: await ensureNamed(tx, "title", form.title_name ?? null),
    };
    const id = await people.addOwnership(tx, termId, of);
    if (id === undefined) throw ownsAlready(termId, form.owner_name);
    if (await people.countOwners(tx, termId) > maxOwners) throw tooMany(termId);
    change.searchable([termId], "term");
    return (await people.ownershipJson(tx, { id, termId }))!;
  });
}

/**
 * Sets the title of an ownership, unless the form leaves it out; Ownership as JSON text. Throws 404 for a term without
 * such an ownership.
 */
export function updateOwnership(
  context: Deps,
  actor: Actor,
  at: people.TermOwnershipRef,
  form: OwnershipUpdateForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lock(tx, at.termId);
    const before = await people.ownershipJson(tx, at);
    if (before === undefined) throw noOwnership(at);
    if (form.title_name === undefined) return before;
    await people.setTitle(tx, at.id, await ensureNamed(tx, "title", form.title_name));
    change.searchable([at.termId], "term");
    return (await people.ownershipJson(tx, at))!;
  });
}

/** Takes an owner from a term. Throws 404 for a term without such an ownership. */
export function deleteOwnership(
  context: Deps,
  actor: Actor,
  at: people.TermOwnershipRef,
): Promise<void> {
  return changing(context, actor, async (change) => {
    await lock(change.tx, at.termId);
    if (!await people.removeOwnership(change.tx, at)) throw noOwnership(at);
    change.searchable([at.termId], "term");
  });
}

/** Makes these the tags of a term; missing ones are made. TagList as JSON text. Throws 404. */
export function tagTerm(
  context: Deps,
  actor: Actor,
  id: number,
  names: string[],
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    // Tags before the term, as the deletion of a tag locks them.
    const tags = await ensureAllNamed(tx, "tag", names);
    await lock(tx, id);
    await people.putTags(tx, id, [...tags.values()]);
    change.searchable([id], "term");
    return await people.termTags(tx, id);
  });
}

async function lock(tx: Transaction, id: number): Promise<void> {
  if (!await lockTerm(tx, id, "change")) throw notFound("Term", id);
}

function noOwnership({ id, termId }: people.TermOwnershipRef) {
  return notFound(`Ownership of term ${termId}`, id);
}

function tooMany(term: number) {
  return badRequest(`Term ${term} has ${maxOwners} owners, the most there may be`, [
    { field: "owner_name", message: `must be among the ${maxOwners} owners of the term already` },
  ]);
}

function ownsAlready(term: number, owner: string) {
  return conflict(`${owner} owns term ${term} already`, [
    { field: "owner_name", message: "must not be the name of an owner of the term" },
  ]);
}
