import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { badRequest, conflict, type ErrorDetail, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as ofEntity from "#services/api/features/tags/entity.queries.ts";
import * as queries from "#services/api/features/tags/queries.ts";
import type { TagForm } from "#services/api/features/tags/schemas.ts";
import { spelled } from "#services/api/spelling.ts";

export { maxTags, TagsForm } from "#services/api/features/tags/schemas.ts";

type Deps = Pick<Context, "db">;

/** One page of tags, the most used first, then by name; TagsResponse as JSON text. `ids`: empty for any. */
export function listTags({ db }: Deps, params: ListQuery & { ids: number[] }): Promise<string> {
  const { query, ids } = params;
  const filter = {
    pattern: query === undefined ? null : containsPattern(query),
    ids: ids.length > 0 ? ids : null,
  };
  return queries.tagList(db.reads, filter, pageWindow(params));
}

/** Creates tags; TagList as JSON text. Throws 400 (USR003) that lists names which are taken, or given twice. */
export function createTags(context: Deps, actor: Actor, forms: TagForm[]): Promise<string> {
  const names = forms.map(({ name }) => name);
  refuseNames(names, (name, at) => names.indexOf(name) < at);
  return changing(context, actor, async ({ tx }) => {
    const made = await queries.insertTags(tx, names, forms.map((form) => form.important ?? false));
    refuseNames(names, (name) => !made.has(name));
    return await queries.newTagsJson(tx, names);
  });
}

/**
 * Changes a tag; search follows in the background. Tag as JSON text. Throws 404, 400 for a tag that a
 * collector sets, and 400 (USR003) when the name is taken.
 */
export function updateTag(
  context: Deps,
  actor: Actor,
  id: number,
  { name, important }: TagForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await requireInternal(tx, id, "changed");
    return await queries.updateTag(tx, id, name, important ?? null);
  }, { unique: () => taken([{ field: "name", message: takenMessage }]) });
}

/**
 * Deletes a tag and removes it from all entities, fields and terms. As in the published interface, the feed has no event for it.
 * Throws 404, and 400 for a tag that a collector sets.
 */
export function deleteTag(context: Deps, actor: Actor, id: number): Promise<void> {
  return changing(context, actor, async (change) => {
    await requireInternal(change.tx, id, "deleted");
    const { entities, terms } = await queries.deleteTag(change.tx, id);
    change.searchable(entities);
    change.searchable(terms, "term");
  });
}

/**
 * Makes these the tags that an entity has by hand; those of collectors stay. Returns all of them,
 * TagList as JSON text. Throws 404.
 */
export function tagEntity(
  context: Deps,
  actor: Actor,
  id: number,
  names: string[],
): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    // Tags before the entity, as the deletion of a tag locks them.
    const tags = await ensureAllNamed(tx, "tag", names);
    await lockEntity(tx, id);
    const before = await ofEntity.byHand.states(tx, id);
    await ofEntity.byHand.put(tx, id, [...tags.values()]);
    const after = await ofEntity.byHand.states(tx, id);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      change.record({ type: "TAG_ASSIGNMENT_UPDATED", entityId: id, before, after });
      change.searchable([id]);
    }
    return await ofEntity.entityTags(tx, id);
  });
}

async function requireInternal(tx: Transaction, id: number, done: string): Promise<void> {
  const tag = await queries.lockTag(tx, id);
  if (!tag) throw notFound("Tag", id);
  if (tag.external) {
    throw badRequest(`Tag ${id} is set by a collector, so it cannot be ${done} here`);
  }
}

const takenMessage = `must not be the name of another tag, ${spelled}`;

/** Throws 400 for names of a list for which `wrong` is true. */
function refuseNames(names: string[], wrong: (name: string, at: number) => boolean): void {
  const details = names.flatMap((name, at) =>
    wrong(name, at) ? [{ field: `[${at}].name`, message: takenMessage }] : []
  );
  if (details.length > 0) throw taken(details.slice(0, 50));
}

function taken(details: ErrorDetail[]) {
  return conflict(`There is already a tag of this name (${details[0]!.field})`, details);
}
