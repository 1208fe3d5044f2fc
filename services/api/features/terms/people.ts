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
    const ownerId = await ensureNamed(tx, "owner", form.owner_name);
    const titleId = await ensureNamed(tx, "title", form.title_name ?? null);
    const [added] = await tx.query(add, [termId, ownerId, titleId]);
    if (!added) {
      throw conflict(`${form.owner_name} owns term ${termId} already`, [
        { field: "owner_name", message: "must not be the name of an owner of the term" },
      ]);
    }
    const [owners] = await tx.query(countOwners, [termId]);
    if (owners!.count > maxOwners) throw tooMany(termId);
    change.searchable([termId], "term");
    return (await tx.query(asJson, [added.id, termId]))[0]!.json;
  });
}

/**
 * Sets the title of an ownership, unless the form leaves it out; Ownership as JSON text. Throws 404 for a term without
 * such an ownership.
 */
export function updateOwnership(
  context: Deps,
  actor: Actor,
  { id, termId }: TermOwnershipRef,
  form: OwnershipUpdateForm,
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lock(tx, termId);
    const [before] = await tx.query(asJson, [id, termId]);
    if (!before) throw noOwnership({ id, termId });
    if (form.title_name === undefined) return before.json;
    await tx.query(retitle, [id, await ensureNamed(tx, "title", form.title_name)]);
    change.searchable([termId], "term");
    return (await tx.query(asJson, [id, termId]))[0]!.json;
  });
}

/** Takes an owner from a term. Throws 404 for a term without such an ownership. */
export function deleteOwnership(
  context: Deps,
  actor: Actor,
  { id, termId }: TermOwnershipRef,
): Promise<void> {
  return changing(context, actor, async (change) => {
    await lock(change.tx, termId);
    const removed = await change.tx.query(remove, [id, termId]);
    if (removed.length === 0) throw noOwnership({ id, termId });
    change.searchable([termId], "term");
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
    await tx.query(putTags, [id, [...tags.values()]]);
    change.searchable([id], "term");
    return (await tx.query(tagsOf, [id]))[0]!.json;
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

/** An ownership of the term that the path names. */
interface TermOwnershipRef {
  id: number;
  termId: number;
}

/** The new ownership of a locked term; no row when the owner has one. */
const add = statement<{ id: number }>("term-ownership-add")`
  INSERT INTO term_ownership (term_id, owner_id, title_id) VALUES ($1, $2, $3)
  ON CONFLICT (term_id, owner_id) DO NOTHING RETURNING id`;

/** How many owners a locked term has. */
const countOwners = statement<{ count: number }>("term-owner-count")`
  SELECT count(*)::int AS count FROM term_ownership WHERE term_id = $1`;

/** Ownership; no row when the term has no such ownership. */
const asJson = statement<JsonRow>("term-ownership-json")`
  SELECT json_term_ownership_of(o)::text AS json FROM term_ownership o
   WHERE o.id = $1 AND o.term_id = $2`;

const retitle = statement("term-ownership-retitle")`
  UPDATE term_ownership SET title_id = $2 WHERE id = $1`;

/** No row when the term has no such ownership. */
const remove = statement("term-ownership-remove")`
  DELETE FROM term_ownership WHERE id = $1 AND term_id = $2 RETURNING id`;

/** Makes these the tags of a locked term. */
const putTags = statement("term-tag-put")`
  WITH gone AS (DELETE FROM term_tag WHERE term_id = $1 AND tag_id <> ALL($2::bigint[]))
  INSERT INTO term_tag (term_id, tag_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`;

/** TagList of a term. */
const tagsOf = statement<JsonRow>("term-tags")`SELECT json_term_tags($1)::text AS json`;
