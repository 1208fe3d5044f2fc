import type { TagState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { copyLinks } from "#services/api/features/merging/moving.ts";

const entities = statement<{ id: number }>("merge-tag-entities")`
  SELECT DISTINCT entity_id AS id FROM entity_tag WHERE tag_id = ANY($1::bigint[]) ORDER BY 1 LIMIT $2`;

/** At most `limit` entities that have one of these tags. */
export async function taggedEntities(tx: Transaction, tags: number[], limit: number) {
  return (await tx.query(entities, [tags, limit])).map(({ id }) => id);
}

/** A column that has one of the tags; `current`: the newest structure of its dataset has it. */
export interface TaggedField {
  id: number;
  datasetId: number;
  name: string;
  type: unknown;
  current: boolean;
}

const fields = statement<TaggedField>("merge-tag-fields")`
  WITH tagged AS MATERIALIZED (
    SELECT f FROM dataset_field f
     WHERE f.id IN (SELECT field_id FROM field_tag WHERE tag_id = ANY($1::bigint[])) ORDER BY f.id LIMIT $2
  ), latest AS MATERIALIZED (
    SELECT l.field_id FROM latest_fields(ARRAY(SELECT DISTINCT (f).dataset_id FROM tagged)) l)
  SELECT (f).id, (f).dataset_id AS "datasetId", (f).name, json_field_type(f) AS type,
         (f).id IN (SELECT field_id FROM latest) AS current
    FROM tagged ORDER BY 1`;

/** At most `limit` columns that have one of these tags, of all structure versions. */
export function taggedFields(tx: Transaction, tags: number[], limit: number) {
  return tx.query(fields, [tags, limit]);
}

const stating = (of: "entity" | "field") =>
  statement<{ id: number; tags: TagState[] }>(`merge-tag-${of}-states`)`
  SELECT w.id, (
           SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'important', t.important)
                                    ORDER BY t.important DESC, t.name), '[]')
             FROM tag t WHERE t.id IN (SELECT x.tag_id FROM ${of}_tag x WHERE x.${of}_id = w.id)) AS tags
    FROM unnest($1::bigint[]) AS w (id)`;
const states = { entity: stating("entity"), field: stating("field") };

/** The tags of entities or columns, as the activity feed lists them. */
export async function tagStates(tx: Transaction, of: keyof typeof states, ids: number[]) {
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
export async function moveTags(tx: Transaction, into: number, from: number[]): Promise<number[]> {
  for (const move of moves) await tx.query(move, [into, from]);
  for (const left of leave) await tx.query(left, [from]);
  return (await tx.query(leaveTerms, [from])).map(({ id }) => id);
}
