import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { ensureAllNamed, ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import {
  maxOwners,
  type OwnershipForm,
  type OwnershipUpdateForm,
} from "#services/api/features/ownership/service.ts";
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
    const id = await addOwnership(tx, termId, of);
    if (id === undefined) throw ownsAlready(termId, form.owner_name);
    if (await countOwners(tx, termId) > maxOwners) throw tooMany(termId);
    change.searchable([termId], "term");
    return (await ownershipJson(tx, { id, termId }))!;
  });
}

/**
 * Sets the title of an ownership, unless the form leaves it out; Ownership as JSON text. Throws 404 for a term without
 * such an ownership.
 */
export function updateOwnership(
  context: Deps,
  actor: Actor,
  at: TermOwnershipRef,
  form: OwnershipUpdateForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lock(tx, at.termId);
    const before = await ownershipJson(tx, at);
    if (before === undefined) throw noOwnership(at);
    if (form.title_name === undefined) return before;
    await setTitle(tx, at.id, await ensureNamed(tx, "title", form.title_name));
    change.searchable([at.termId], "term");
    return (await ownershipJson(tx, at))!;
  });
}

/** Takes an owner from a term. Throws 404 for a term without such an ownership. */
export function deleteOwnership(
  context: Deps,
  actor: Actor,
  at: TermOwnershipRef,
): Promise<void> {
  return changing(context, actor, async (change) => {
    await lock(change.tx, at.termId);
    if (!await removeOwnership(change.tx, at)) throw noOwnership(at);
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
    await putTags(tx, id, [...tags.values()]);
    change.searchable([id], "term");
    return await termTags(tx, id);
  });
}

async function lock(tx: Transaction, id: number): Promise<void> {
  if (!await lockTerm(tx, id, "change")) throw notFound("Term", id);
}

function noOwnership({ id, termId }: TermOwnershipRef) {
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

/** Who owns a term, by which title. */
interface TermOwnershipKey {
  ownerId: number;
  titleId: number | null;
}

const add = statement<{ id: number }>("term-ownership-add")`
  INSERT INTO term_ownership (term_id, owner_id, title_id) VALUES ($1, $2, $3)
  ON CONFLICT (term_id, owner_id) DO NOTHING RETURNING id`;

/** The id of the new ownership of a locked term; undefined when the owner has one. */
async function addOwnership(tx: Transaction, term: number, of: TermOwnershipKey) {
  return (await tx.query(add, [term, of.ownerId, of.titleId]))[0]?.id;
}

const owners = statement<{ count: number }>("term-owner-count")`
  SELECT count(*)::int AS count FROM term_ownership WHERE term_id = $1`;

/** How many owners a locked term has. */
async function countOwners(tx: Transaction, term: number): Promise<number> {
  return (await tx.query(owners, [term]))[0]!.count;
}

/** An ownership of the term that the path names. */
interface TermOwnershipRef {
  id: number;
  termId: number;
}

const asJson = statement<JsonRow>("term-ownership-json")`
  SELECT json_term_ownership_of(o)::text AS json FROM term_ownership o
   WHERE o.id = $1 AND o.term_id = $2`;

/** Ownership as JSON text; undefined when the term has no such ownership. */
async function ownershipJson(tx: Transaction, { id, termId }: TermOwnershipRef) {
  return (await tx.query(asJson, [id, termId]))[0]?.json;
}

const retitle = statement("term-ownership-retitle")`
  UPDATE term_ownership SET title_id = $2 WHERE id = $1`;

async function setTitle(tx: Transaction, id: number, title: number | null): Promise<void> {
  await tx.query(retitle, [id, title]);
}

const remove = statement("term-ownership-remove")`
  DELETE FROM term_ownership WHERE id = $1 AND term_id = $2 RETURNING id`;

/** False when the term has no such ownership. */
async function removeOwnership(tx: Transaction, { id, termId }: TermOwnershipRef) {
  return (await tx.query(remove, [id, termId])).length > 0;
}

const put = statement("term-tag-put")`
  WITH gone AS (DELETE FROM term_tag WHERE term_id = $1 AND tag_id <> ALL($2::bigint[]))
  INSERT INTO term_tag (term_id, tag_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`;

/** Makes these the tags of a locked term. */
async function putTags(tx: Transaction, term: number, tags: number[]): Promise<void> {
  await tx.query(put, [term, tags]);
}

const tagsOf = statement<JsonRow>("term-tags")`SELECT json_term_tags($1)::text AS json`;

/** TagList of a term as JSON text. */
async function termTags(tx: Transaction, term: number): Promise<string> {
  return (await tx.query(tagsOf, [term]))[0]!.json;
}
