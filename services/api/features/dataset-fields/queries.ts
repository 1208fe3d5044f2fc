import { tagsByHand } from "#metadata/catalogue/manual-tags.ts";
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

export const tagsOfFields = tagsByHand("field");

const ofField = statement<JsonRow>("field-tags")`SELECT json_field_tags($1)::text AS json`;

/** TagList of a field as JSON text. */
export async function fieldTags(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(ofField, [id]))[0]!.json;
}
