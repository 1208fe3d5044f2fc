import type { Actor } from "#contract/actor.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import { tagsByHand } from "#metadata/catalogue/manual-tags.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import {
  changingField,
  type Deps,
  type LockedField,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import { recordMentions } from "#services/api/features/terms/service.ts";
import { maxEnumValues, maxTerms } from "./schemas.ts";

export {
  listEnumValues,
  putEnumValues,
} from "#services/api/features/dataset-fields/enum-values.ts";
export { linkTerm, unlinkTerm } from "#services/api/features/dataset-fields/terms.ts";

// All of these throw 404 for an unknown field, and 400 for one that the newest structure version lacks.

/**
 * Gives a field the description that people read, Markdown, with links to the terms that it mentions; null takes it,
 * undefined leaves it. DataSetFieldDescription as JSON text. Throws 400 for a text that mentions too many terms.
 */
export function describeField(
  context: Deps,
  actor: Actor,
  id: number,
  description: string | null | undefined,
): Promise<string> {
  return changingField(context, actor, id, nothing, async (change, field) => {
    const { tx } = change;
    if (description !== undefined && description !== field.description) {
      await setText(tx, id, "internal_description", description);
      await recordMentions(tx, { kind: "dataset_field", id }, description, "description");
      change.record({
        type: "DATASET_FIELD_DESCRIPTION_UPDATED",
        entityId: field.datasetId,
        before: { ...known(field), description: field.description },
        after: { ...known(field), description },
      });
      change.searchable([field.datasetId]);
    }
    return await descriptionJson(tx, id);
  });
}

/** Gives a field the name that people read; null takes it. Returns the name. */
export function nameField(
  context: Deps,
  actor: Actor,
  id: number,
  name: string | null,
): Promise<string | null> {
  return changingField(context, actor, id, nothing, async (change, field) => {
    if (name !== field.internalName) {
      await setText(change.tx, id, "internal_name", name);
      change.record({
        type: "DATASET_FIELD_INTERNAL_NAME_UPDATED",
        entityId: field.datasetId,
        before: { ...known(field), internal_name: field.internalName },
        after: { ...known(field), internal_name: name },
      });
      change.searchable([field.datasetId]);
    }
    return name;
  });
}

/**
 * Makes these the tags that a field has by hand; those of collectors stay, and all do when there is no list. Returns
 * all of them, TagList as JSON text.
 */
export function tagField(
  context: Deps,
  actor: Actor,
  id: number,
  names: string[] | null,
): Promise<string> {
  // Tags before the dataset, as the deletion of a tag locks them.
  const made = (tx: Parameters<typeof ensureAllNamed>[0]) => ensureAllNamed(tx, "tag", names ?? []);
  return changingField(context, actor, id, made, async (change, field, tags) => {
    const { tx } = change;
    if (names === null) return await fieldTags(tx, id);
    const before = await tagsOfFields.states(tx, id);
    await tagsOfFields.put(tx, id, [...tags.values()]);
    const after = await tagsOfFields.states(tx, id);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      change.record({
        type: "DATASET_FIELD_TAGS_UPDATED",
        entityId: field.datasetId,
        before: { ...known(field), tags: before },
        after: { ...known(field), tags: after },
      });
      change.searchable([field.datasetId]);
    }
    return await fieldTags(tx, id);
  });
}

/** By what activity knows a field. */
const known = ({ id, name, type }: LockedField) => ({ id, name, type });

const setting = (column: "internal_name" | "internal_description") =>
  statement(`field-set-${column.replace("_", "-")}`)`
  UPDATE dataset_field SET ${column} = $2 WHERE id = $1`;

const setters = {
  internal_name: setting("internal_name"),
  internal_description: setting("internal_description"),
};

/** Sets a text of a field whose dataset is locked. */
async function setText(
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
async function descriptionJson(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(described, [id]))[0]!.json;
}

const tagsOfFields = tagsByHand("field");

const ofField = statement<JsonRow>("field-tags")`SELECT json_field_tags($1)::text AS json`;

/** TagList of a field as JSON text. */
async function fieldTags(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(ofField, [id]))[0]!.json;
}

const entrance = "dataset fields";

/** Limits of what people write about dataset fields. */
export const datasetFieldLimits: Limit[] = [
  limit(entrance, "enum values of one field, by users", maxEnumValues),
  limit(entrance, "terms of one field, by users", maxTerms),
];
