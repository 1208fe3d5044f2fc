import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { containsPattern, IndexedName } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { boundedArray } from "#contract/bounded.ts";
import { badRequest, conflict, type ErrorDetail, maxFields, notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { tagsByHand } from "#metadata/catalogue/manual-tags.ts";
import type { Context } from "#platform/context.ts";
import { spelled } from "#services/api/conflicts.ts";
import { listOfFound } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db">;

/** One page of tags, the most used first, then by name; TagsResponse as JSON text. `ids`: empty for any. */
export async function listTags({ db }: Deps, params: ListQuery & { ids: number[] }) {
  const { query, ids } = params;
  const { limit, offset } = pageWindow(params);
  const narrowed = [containsPattern(query ?? ""), ids.length > 0 ? ids : null];
  const rows = query === undefined && ids.length === 0
    ? await db.reads.query(lists.all, [limit, offset])
    : await db.reads.query(lists.some, [limit, offset, ...narrowed]);
  return rows[0]!.json;
}

/** Creates tags; TagList as JSON text. Throws 400 (USR003) that lists names which are taken, or given twice. */
export function createTags(context: Deps, actor: Actor, forms: TagForm[]): Promise<string> {
  const names = forms.map(({ name }) => name);
  refuseNames(names, (name, at) => names.indexOf(name) < at);
  return changing(context, actor, async ({ tx }) => {
    const rows = await tx.query(insert, [names, forms.map((form) => form.important ?? false)]);
    const made = new Set(rows.map(({ name }) => name));
    refuseNames(names, (name) => !made.has(name));
    return (await tx.query(newOnes, [names]))[0]!.json;
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
    return (await tx.query(update, [id, name, important ?? null]))[0]!.json;
  }, { unique: () => taken([{ field: "name", message: takenMessage }]) });
}

/**
 * Deletes a tag and removes it from all entities, fields and terms. As in the published interface, the feed has no event for it.
 * Throws 404, and 400 for a tag that a collector sets.
 */
export function deleteTag(context: Deps, actor: Actor, id: number): Promise<void> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await requireInternal(tx, id, "deleted");
    change.searchable((await tx.query(fromEntities, [id])).map((row) => row.id));
    change.searchable((await tx.query(fromFields, [id])).map((row) => row.id));
    change.searchable((await tx.query(fromTerms, [id])).map((row) => row.id), "term");
    await tx.query(remove, [id]);
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
    const before = await byHand.states(tx, id);
    await byHand.put(tx, id, [...tags.values()]);
    const after = await byHand.states(tx, id);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      change.record({ type: "TAG_ASSIGNMENT_UPDATED", entityId: id, before, after });
      change.searchable([id]);
    }
    return (await tx.query(ofEntity, [id]))[0]!.json;
  });
}

async function requireInternal(tx: Transaction, id: number, done: string): Promise<void> {
  // Locked first, so that nothing gets it meanwhile.
  const known = await tx.query(lock, [id]);
  if (known.length === 0) throw notFound("Tag", id);
  const [tag] = await tx.query(external, [id]);
  if (tag!.external) {
    throw badRequest(`Tag ${id} is set by a collector, so it cannot be ${done} here`);
  }
}

const takenMessage = `must not be the name of another tag, ${spelled}`;

/** Throws 400 for names of a list for which `wrong` is true. */
function refuseNames(names: string[], wrong: (name: string, at: number) => boolean): void {
  const details = names.flatMap((name, at) =>
    wrong(name, at) ? [{ field: `[${at}].name`, message: takenMessage }] : []
  );
  if (details.length > 0) throw taken(details.slice(0, maxFields));
}

function taken(details: ErrorDetail[]) {
  return conflict(`There is already a tag of this name (${details[0]!.field})`, details);
}

// Whatever has a tag counts once, however many ways it came by it: a link by hand counts unless there
// is one of a collector, and one of statistics unless there is any other.
const uses = (wanted: string) => `
  SELECT x.tag_id, x.origin = 'EXTERNAL' AS external FROM entity_tag x
   WHERE ${wanted} AND (x.origin = 'EXTERNAL' OR NOT EXISTS (
     SELECT FROM entity_tag y
      WHERE (y.entity_id, y.tag_id, y.origin) = (x.entity_id, x.tag_id, 'EXTERNAL')))
  UNION ALL
  SELECT x.tag_id, x.origin <> 'INTERNAL' FROM field_tag x
   WHERE ${wanted} AND (x.origin = 'EXTERNAL' OR NOT EXISTS (
     SELECT FROM field_tag y
      WHERE (y.field_id, y.tag_id) = (x.field_id, x.tag_id) AND y.origin < x.origin))
  UNION ALL
  SELECT x.tag_id, false FROM term_tag x WHERE ${wanted}`;

const list = (kind: string, wanted: string, counted: string) =>
  statement<JsonRow>(`tag-list-${kind}`)`
  WITH wanted AS MATERIALIZED (SELECT t FROM tag t WHERE ${wanted}), used AS (
    SELECT tag_id, count(*) AS uses, bool_or(external) AS external
      FROM (${uses(counted)}) u GROUP BY tag_id
  ), found AS (
    SELECT w.t, coalesce(u.uses, 0) AS uses, coalesce(u.external, false) AS external
      FROM wanted w LEFT JOIN used u ON u.tag_id = (w.t).id)
  ${
    listOfFound({
      each: "json_tag(t, external, uses)",
      by: "uses DESC, (t).name",
      window: ["$1", "$2"],
    })
  }`;

const lists = {
  all: list("all", "true", "true"),
  // The uses of a few are counted along the index of tags.
  some: list(
    "some",
    "t.name ILIKE $3 AND ($4::bigint[] IS NULL OR t.id = ANY ($4::bigint[]))",
    "x.tag_id = ANY (ARRAY(SELECT (t).id FROM wanted))",
  ),
};

/** Names of the tags that were not there yet in any spelling, of several spellings the first. */
const insert = statement<{ name: string }>("tag-insert")`
  WITH wanted AS MATERIALIZED (
    SELECT name, name_key(name) AS key, important, place
      FROM unnest($1::text[], $2::boolean[]) WITH ORDINALITY AS w (name, important, place))
  INSERT INTO tag (name, folded, important)
  SELECT DISTINCT ON (key) name, key, important FROM wanted w
   WHERE NOT EXISTS (SELECT FROM tag t WHERE t.folded = w.key)
   ORDER BY key, place
  ON CONFLICT DO NOTHING RETURNING name`;

/** TagList of tags that nothing has yet, in the order of their names. */
const newOnes = statement<JsonRow>("tag-new-json")`
  SELECT coalesce(json_agg(json_tag(t, false, 0) ORDER BY w.place), '[]')::text AS json
    FROM unnest($1::text[]) WITH ORDINALITY AS w (name, place) JOIN tag t ON t.name = w.name`;

const lock = statement<{ id: number }>("tag-lock")`
  SELECT id FROM tag WHERE id = $1 FOR UPDATE`;

const external = statement<{ external: boolean }>("tag-external")`
  SELECT EXISTS (SELECT FROM entity_tag WHERE tag_id = $1 AND origin <> 'INTERNAL')
      OR EXISTS (SELECT FROM field_tag WHERE tag_id = $1 AND origin <> 'INTERNAL') AS external`;

/** Changes a tag that only people set. */
const update = statement<JsonRow>("tag-update")`
  UPDATE tag t SET name = $2, important = coalesce($3, important) WHERE id = $1
  RETURNING json_tag(t, false,
    (SELECT count(*) FROM entity_tag x WHERE x.tag_id = $1) +
    (SELECT count(*) FROM field_tag x WHERE x.tag_id = $1) +
    (SELECT count(*) FROM term_tag x WHERE x.tag_id = $1))::text AS json`;

const fromEntities = statement<{ id: number }>("tag-leave-entities")`
  DELETE FROM entity_tag WHERE tag_id = $1 RETURNING entity_id AS id`;

const fromFields = statement<{ id: number }>("tag-leave-fields")`
  WITH gone AS (DELETE FROM field_tag WHERE tag_id = $1 RETURNING field_id)
  SELECT DISTINCT f.dataset_id AS id FROM gone JOIN dataset_field f ON f.id = gone.field_id`;

const fromTerms = statement<{ id: number }>("tag-leave-terms")`
  DELETE FROM term_tag WHERE tag_id = $1 RETURNING term_id AS id`;

const remove = statement("tag-delete")`DELETE FROM tag WHERE id = $1`;

const byHand = tagsByHand("entity");

const ofEntity = statement<JsonRow>("tag-of-entity")`SELECT json_tags($1)::text AS json`;

/** Maximum number of tags that are made at once, and most that people give one entity. */
export const maxTags = 1_000;

/** `important` absent or null: as it is; a new tag is not important then. */
export const TagForm = z.object({ name: IndexedName, important: z.boolean().nullish() })
  .openapi("TagFormData");
export type TagForm = z.output<typeof TagForm>;

export const BulkTagForm = boundedArray(TagForm, maxTags).openapi("BulkTagFormData");

/** All tags that an entity is to have by hand. */
export const TagsForm = z.object({ tag_name_list: boundedArray(IndexedName, maxTags) })
  .openapi("TagsFormData");

/** Limits of tags. */
export const tagLimits: Limit[] = [
  limit(
    "tags",
    "tags created in one request, or assigned to an entity or a term by users",
    maxTags,
  ),
];
