import type { Actor } from "#contract/actor.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { TermState } from "#metadata/catalogue/activity.ts";
import type { Change } from "#metadata/catalogue/changing.ts";
import { tagsByHand } from "#metadata/catalogue/manual-tags.ts";
import { ensureAllNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import {
  changingField,
  type Deps,
  type LockedField,
  nothing,
} from "#services/api/features/dataset-fields/locked-field.ts";
import { lockTerms, recordMentions } from "#services/api/features/terms/service.ts";
import { maxEnumValues, maxTerms } from "./schemas.ts";
export {
  listEnumValues,
  putEnumValues,
} from "#services/api/features/dataset-fields/enum-values.ts";

const entrance = "dataset fields";

/** Limits of what people write about dataset fields. */
export const datasetFieldLimits: Limit[] = [
  limit(entrance, "enum values of one field, by users", maxEnumValues),
  limit(entrance, "terms of one field, by users", maxTerms),
];

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
      await tx.query(setText.internal_description, [id, description]);
      await recordMentions(tx, { kind: "dataset_field", id }, description, "description");
      change.record({
        type: "DATASET_FIELD_DESCRIPTION_UPDATED",
        entityId: field.datasetId,
        before: { ...known(field), description: field.description },
        after: { ...known(field), description },
      });
      change.searchable([field.datasetId]);
    }
    return (await tx.query(descriptionAsJson, [id]))[0]!.json;
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
      await change.tx.query(setText.internal_name, [id, name]);
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
  const made = (tx: Transaction) => ensureAllNamed(tx, "tag", names ?? []);
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

/**
 * Links a field with a term; LinkedTerm as JSON text. Throws 404 for an unknown field or term, 400 (USR003) for a term
 * that it is linked with, and 400 for a field with as many as it may have.
 */
export function linkTerm(context: Deps, actor: Actor, id: number, termId: number): Promise<string> {
  const lock = (tx: Transaction) => lockTerms(tx, [termId]);
  return changingField(context, actor, id, lock, async (change, field) => {
    const { tx } = change;
    await recordingTerms(change, field, async (before) => {
      const added = await tx.query(addLink, [id, termId]);
      if (added.length === 0) throw linkedAlready(field, before, termId);
      const [links] = await tx.query(countLinks, [id]);
      if (links!.count > maxTerms) throw tooMany(id);
    });
    return (await tx.query(linkAsJson, [termId]))[0]!.json;
  });
}

/** Takes a link by hand. Throws 404 for a field without it, and 400 for a term that only its description mentions. */
export function unlinkTerm(context: Deps, actor: Actor, id: number, termId: number): Promise<void> {
  return changingField(context, actor, id, nothing, async (change, field) => {
    await recordingTerms(change, field, async (before) => {
      const removed = await change.tx.query(removeLink, [id, termId]);
      if (removed.length > 0) return;
      if (before.some((term) => term.id === termId)) throw mentioned(field, before, termId);
      throw notFound(`Link of dataset field ${id} with term`, termId);
    });
  });
}

/** By what activity knows a field. */
const known = ({ id, name, type }: LockedField) => ({ id, name, type });

const setting = (column: "internal_name" | "internal_description") =>
  statement(`field-set-${column.replace("_", "-")}`)`
  UPDATE dataset_field SET ${column} = $2 WHERE id = $1`;

/** Set a text of a field whose dataset is locked. */
const setText = {
  internal_name: setting("internal_name"),
  internal_description: setting("internal_description"),
};

/** DataSetFieldDescription. */
const descriptionAsJson = statement<JsonRow>("field-description")`
  SELECT json_build_object('description', coalesce(f.internal_description, ''),
                           'terms', json_field_terms(f.id))::text AS json
    FROM dataset_field f WHERE f.id = $1`;

const tagsOfFields = tagsByHand("field");

const tagsAsJson = statement<JsonRow>("field-tags")`SELECT json_field_tags($1)::text AS json`;

/** TagList of a field as JSON text. */
async function fieldTags(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(tagsAsJson, [id]))[0]!.json;
}

/** Runs `work`, which changes the terms of a field that it gets, and records the change. */
async function recordingTerms(
  change: Change,
  field: LockedField,
  work: (before: TermState[]) => Promise<void>,
): Promise<void> {
  const before = await termStates(change.tx, field.id);
  await work(before);
  const after = await termStates(change.tx, field.id);
  change.record({
    type: "DATASET_FIELD_TERM_ASSIGNMENT_UPDATED",
    entityId: field.datasetId,
    before: { ...known(field), terms: before },
    after: { ...known(field), terms: after },
  });
}

/** `orders:total (25)`. */
function nameOf(terms: TermState[], termId: number): string {
  const term = terms.find(({ id }) => id === termId);
  return term ? `${term.namespace}:${term.name} (${termId})` : String(termId);
}

function linkedAlready({ id, name }: LockedField, terms: TermState[], termId: number) {
  const term = nameOf(terms, termId);
  return conflict(`Dataset field ${name} (${id}) is linked with term ${term} already`, [
    { field: "term_id", message: "must not be a term that the field is linked with" },
  ]);
}

function tooMany(id: number) {
  return badRequest(`Dataset field ${id} would be linked with too many terms`, [
    { field: "term_id", message: `must not be the link beyond ${maxTerms}` },
  ]);
}

function mentioned({ id, name }: LockedField, terms: TermState[], termId: number) {
  const term = nameOf(terms, termId);
  return badRequest(`The description of dataset field ${name} (${id}) mentions term ${term}`, [
    { field: "term_id", message: "must not be a term that the description mentions: change that" },
  ]);
}

const addLink = statement<{ id: number }>("field-term-add")`
  INSERT INTO field_term (field_id, term_id) VALUES ($1, $2)
  ON CONFLICT DO NOTHING RETURNING term_id AS id`;

const removeLink = statement<{ id: number }>("field-term-remove")`
  DELETE FROM field_term WHERE field_id = $1 AND term_id = $2 RETURNING term_id AS id`;

const countLinks = statement<{ count: number }>("field-term-count")`
  SELECT count(*) AS count FROM field_term WHERE field_id = $1`;

const linkedTerms = statement<{ terms: TermState[] }>("field-term-states")`
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'namespace', n.name,
           'is_description_link', l.mentioned) ORDER BY n.name, t.name), '[]') AS terms
    FROM field_linked_term l JOIN term t ON t.id = l.term_id
    JOIN namespace n ON n.id = t.namespace_id
   WHERE l.field_id = $1`;

/** The terms of a field, however linked, as the activity feed lists them. */
async function termStates(tx: Transaction, field: number): Promise<TermState[]> {
  return (await tx.query(linkedTerms, [field]))[0]!.terms;
}

/** LinkedTerm of a link by hand. */
const linkAsJson = statement<JsonRow>("field-term-linked")`
  SELECT json_linked_term(t, n, false)::text AS json
    FROM term t JOIN namespace n ON n.id = t.namespace_id WHERE t.id = $1`;
