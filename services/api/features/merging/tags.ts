import type { TagState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Caller } from "#platform/operations/caller.ts";
import {
  copyLinks,
  type Deps,
  lockUses,
  maxMoved,
  type Merge,
  type MergeResult,
  mergeSpellings,
} from "#services/api/features/merging/merge.ts";

/**
 * Merges all spellings of a tag into this one, which is then on everything that any of them was on. Throws 404, and 403
 * without TAG_DELETE.
 */
export async function mergeTags(deps: Deps, actor: Caller, id: number): Promise<MergeResult> {
  await deps.authorizer.authorize(actor, { permission: "TAG_DELETE", resource: null });
  return await mergeSpellings(deps, actor, "tag", id, moveTags);
}

async function moveTags(merge: Merge): Promise<void> {
  const { change, into } = merge;
  const { tx } = change;
  const from = merge.from.map((tag) => tag.id);
  const entities = (await tx.query(taggedEntities, [from, maxMoved + 1])).map(({ id }) => id);
  const fields = await tx.query(taggedFields, [from, maxMoved + 1]);
  const datasets = fields.map((field) => field.datasetId);
  await lockUses(merge, entities, datasets);
  const read = async () => ({
    entities: await tagStates(tx, "entity", entities),
    fields: await tagStates(tx, "field", fields.map((field) => field.id)),
  });
  const before = await read();
  const terms = await moveTagRows(tx, into.id, from);
  const after = await read();
  recordTags(merge, entities, fields, before, after);
  change.searchable([...entities, ...datasets]);
  change.searchable(terms.map(({ id }) => id), "term");
}

type States = Awaited<ReturnType<typeof tagStates>>;
type TaggedStates = { entities: States; fields: States };

function recordTags(
  { change }: Merge,
  entities: number[],
  fields: TaggedField[],
  before: TaggedStates,
  after: TaggedStates,
): void {
  for (const entityId of entities) {
    change.record({
      type: "TAG_ASSIGNMENT_UPDATED",
      entityId,
      before: before.entities.get(entityId)!,
      after: after.entities.get(entityId)!,
    });
  }
  for (const { id, name, type, datasetId, current } of fields) {
    if (!current) continue;
    change.record({
      type: "DATASET_FIELD_TAGS_UPDATED",
      entityId: datasetId,
      before: { id, name, type, tags: before.fields.get(id)! },
      after: { id, name, type, tags: after.fields.get(id)! },
    });
  }
}

/** At most $2 entities that have one of the tags $1. */
const taggedEntities = statement<{ id: number }>("merge-tag-entities")`
  SELECT DISTINCT entity_id AS id FROM entity_tag WHERE tag_id = ANY($1::bigint[]) ORDER BY 1 LIMIT $2`;

/** A column that has one of the tags; `current`: the newest structure of its dataset has it. */
interface TaggedField {
  id: number;
  datasetId: number;
  name: string;
  type: unknown;
  current: boolean;
}

/** At most $2 columns that have one of the tags $1, of all structure versions. */
const taggedFields = statement<TaggedField>("merge-tag-fields")`
  WITH tagged AS MATERIALIZED (
    SELECT f FROM dataset_field f
     WHERE f.id IN (SELECT field_id FROM field_tag WHERE tag_id = ANY($1::bigint[])) ORDER BY f.id LIMIT $2
  ), latest AS MATERIALIZED (
    SELECT l.field_id FROM latest_fields(ARRAY(SELECT DISTINCT (f).dataset_id FROM tagged)) l)
  SELECT (f).id, (f).dataset_id AS "datasetId", (f).name, json_field_type(f) AS type,
         (f).id IN (SELECT field_id FROM latest) AS current
    FROM tagged ORDER BY 1`;

const stating = (of: "entity" | "field") =>
  statement<{ id: number; tags: TagState[] }>(`merge-tag-${of}-states`)`
  SELECT w.id, (
           SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'important', t.important)
                                    ORDER BY t.important DESC, t.name), '[]')
             FROM tag t WHERE t.id IN (SELECT x.tag_id FROM ${of}_tag x WHERE x.${of}_id = w.id)) AS tags
    FROM unnest($1::bigint[]) AS w (id)`;
const states = { entity: stating("entity"), field: stating("field") };

/** The tags of entities or columns, as the activity feed lists them. */
async function tagStates(tx: Transaction, of: keyof typeof states, ids: number[]) {
  return new Map((await tx.query(states[of], [ids])).map(({ id, tags }) => [id, tags]));
}

const moves = [
  copyLinks("entity_tag", "tag_id", ["entity_id", "origin"]),
  copyLinks("field_tag", "tag_id", ["field_id", "origin"]),
  copyLinks("term_tag", "tag_id", ["term_id"]),
  statement("merge-tag-importance")`
    UPDATE tag SET important = true WHERE id = $1 AND NOT important
       AND EXISTS (SELECT FROM tag WHERE id = ANY($2::bigint[]) AND important)`,
];
const leave = [
  statement("merge-tag-leave-entities")`DELETE FROM entity_tag WHERE tag_id = ANY($1::bigint[])`,
  statement("merge-tag-leave-fields")`DELETE FROM field_tag WHERE tag_id = ANY($1::bigint[])`,
];
const leaveTerms = statement<{ id: number }>("merge-tag-leave-terms")`
  DELETE FROM term_tag WHERE tag_id = ANY($1::bigint[]) RETURNING term_id AS id`;

/** Gives a tag all that others are on; returns the terms among it. An important one makes it important. */
async function moveTagRows(tx: Transaction, into: number, from: number[]) {
  for (const move of moves) await tx.query(move, [into, from]);
  for (const left of leave) await tx.query(left, [from]);
  return await tx.query(leaveTerms, [from]);
}
