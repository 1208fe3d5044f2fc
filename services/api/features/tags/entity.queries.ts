import type { TagState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

const states = statement<{ tags: TagState[] }>("tag-states")`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'important', t.important)
                           ORDER BY t.important DESC, t.name), '[]') AS tags
    FROM tag t WHERE t.id IN (SELECT x.tag_id FROM entity_tag x WHERE x.entity_id = $1)`;

/** The tags of an entity as activity tells them. */
export async function tagStates(tx: Transaction, entity: number): Promise<TagState[]> {
  return (await tx.query(states, [entity]))[0]!.tags;
}

// A tag that a collector set stays one of the collector's alone when the form lists it.
const put = statement("tag-put")`
  WITH gone AS (
    DELETE FROM entity_tag
     WHERE entity_id = $1 AND origin = 'INTERNAL' AND tag_id <> ALL($2::bigint[]))
  INSERT INTO entity_tag (entity_id, tag_id, origin)
  SELECT $1, w.id, 'INTERNAL' FROM unnest($2::bigint[]) AS w (id)
   WHERE NOT EXISTS (SELECT FROM entity_tag x WHERE x.entity_id = $1 AND x.tag_id = w.id)`;

/** Makes these, without those that a collector set, the tags that a locked entity has by hand. */
export async function putTags(tx: Transaction, entity: number, tags: number[]): Promise<void> {
  await tx.query(put, [entity, tags]);
}

const ofEntity = statement<JsonRow>("tag-of-entity")`SELECT json_tags($1)::text AS json`;

/** TagList of an entity as JSON text. */
export async function entityTags(tx: Transaction, entity: number): Promise<string> {
  return (await tx.query(ofEntity, [entity]))[0]!.json;
}
