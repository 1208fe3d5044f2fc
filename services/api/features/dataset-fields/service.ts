import type { Actor } from "#contract/actor.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import {
  changingField,
  type Deps,
  type LockedField,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import * as queries from "#services/api/features/dataset-fields/queries.ts";
import { recordMentions } from "#services/api/features/terms/service.ts";

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
      await queries.setText(tx, id, "internal_description", description);
      await recordMentions(tx, { kind: "dataset_field", id }, description, "description");
      change.record({
        type: "DATASET_FIELD_DESCRIPTION_UPDATED",
        entityId: field.datasetId,
        before: { ...known(field), description: field.description },
        after: { ...known(field), description },
      });
      change.searchable([field.datasetId]);
    }
    return await queries.descriptionJson(tx, id);
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
      await queries.setText(change.tx, id, "internal_name", name);
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
    if (names === null) return await queries.fieldTags(tx, id);
    const before = await queries.tagsOfFields.states(tx, id);
    await queries.tagsOfFields.put(tx, id, [...tags.values()]);
    const after = await queries.tagsOfFields.states(tx, id);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      change.record({
        type: "DATASET_FIELD_TAGS_UPDATED",
        entityId: field.datasetId,
        before: { ...known(field), tags: before },
        after: { ...known(field), tags: after },
      });
      change.searchable([field.datasetId]);
    }
    return await queries.fieldTags(tx, id);
  });
}

/** By what activity knows a field. */
const known = ({ id, name, type }: LockedField) => ({ id, name, type });
