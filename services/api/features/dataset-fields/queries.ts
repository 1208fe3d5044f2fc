import type { TagState } from "#metadata/catalogue/activity.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

const setting = (column: "internal_name" | "internal_description") =>
  statement(`field-set-${column.replace("_", "-")}`)`
  UPDATE dataset_field SET ${column} = $2 WHERE id = $1`;

const setters = {
  internal_name: setting("internal_name"),
  internal_description: setting("internal_description"),
};

/** Sets a text of a field whose dataset is locked. */
export async function setText(
  tx: Transaction,
  id: number,
  column: keyof typeof setters,
  text: string | null,
): Promise<void> {
  await tx.query(setters[column], [id, text]);
}

const described = statement<JsonRow>("field-description")`
  SELECT json_build_object('description', coalesce(f.internal_description, ''),
                           'terms', json_field_terms(f.id))::text AS json
    FROM dataset_field f WHERE f.id = $1`;

/** DataSetFieldDescription as JSON text. */
export async function descriptionJson(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(described, [id]))[0]!.json;
}

const states = statement<{ tags: TagState[] }>("field-tag-states")`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'important', t.important)
                           ORDER BY t.important DESC, t.name), '[]') AS tags
    FROM tag t WHERE t.id IN (SELECT x.tag_id FROM field_tag x WHERE x.field_id = $1)`;

/** The tags of a field as activity tells them. */
export async function tagStates(tx: Transaction, id: number): Promise<TagState[]> {
  return (await tx.query(states, [id]))[0]!.tags;
}

// A tag that a collector, or its statistics, set stays theirs alone when the form lists it.
const put = statement("field-put-tags")`
  WITH gone AS (
    DELETE FROM field_tag
     WHERE field_id = $1 AND origin = 'INTERNAL' AND tag_id <> ALL($2::bigint[]))
  INSERT INTO field_tag (field_id, tag_id, origin)
  SELECT $1, w.id, 'INTERNAL' FROM unnest($2::bigint[]) AS w (id)
   WHERE NOT EXISTS (SELECT FROM field_tag x WHERE x.field_id = $1 AND x.tag_id = w.id)`;

/** Makes these, without those that a collector set, the tags that a field has by hand. */
export async function putTags(tx: Transaction, id: number, tags: number[]): Promise<void> {
  await tx.query(put, [id, tags]);
}

const ofField = statement<JsonRow>("field-tags")`SELECT json_field_tags($1)::text AS json`;

/** TagList of a field as JSON text. */
export async function fieldTags(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(ofField, [id]))[0]!.json;
}
