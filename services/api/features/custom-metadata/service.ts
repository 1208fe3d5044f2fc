import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { boundedArray } from "#contract/bounded.ts";
import {
  MetadataFieldOrigin,
  MetadataFieldType,
  MetadataFieldValue,
} from "#contract/catalogue/common.ts";
import { containsPattern, NameInput } from "#contract/catalogue/inputs.ts";
import {
  givenText,
  isDateTime,
  isJsonArray,
  isJsonContainer,
  longestJson,
} from "#contract/text.ts";
import { badRequest, conflict, requireFound, unavailable } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { CustomMetadataState } from "#metadata/catalogue/activity.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { listOfFound } from "#services/api/list-json.ts";

/** Maximum number of values that one form gives. */
const maxFormValues = 100;

/** Maximum number of values that people give one entity. */
const maxEntityValues = 1_000;

/** Longest value, in UTF-16 units. */
const maxValue = longestJson;

/** Maximum number of fields that are listed. */
const maxListed = 1_000;

const entrance = "metadata by users";

/** Limits of custom metadata. */
export const customMetadataLimits: Limit[] = [
  limit(entrance, "values of one form", maxFormValues),
  limit(entrance, "values of one entity", maxEntityValues),
  limit(entrance, "value, UTF-16 units", maxValue),
  limit(entrance, "fields that are listed", maxListed, "the first by name, `hasNext` true"),
];

const ValueText = givenText({ min: 1, max: maxValue });

/** People give values of their own; those of collectors are EXTERNAL. */
const OwnOrigin = MetadataFieldOrigin.nullish().refine((given) => given !== "EXTERNAL", {
  error: "must be INTERNAL: values of collectors are theirs",
});

type FieldType = z.output<typeof MetadataFieldType>;

interface TypeRule {
  fits: (text: string) => boolean;
  /** What the text must be, in words. */
  expected: string;
}

const typeRules: Record<FieldType, TypeRule> = {
  INTEGER: { fits: (text) => /^[+-]?\d{1,1000}$/.test(text), expected: "a whole number" },
  STRING: { fits: () => true, expected: "a text" },
  DATETIME: {
    fits: isDateTime,
    expected: "a date and a time, such as 2024-01-31T12:00:00Z",
  },
  FLOAT: {
    fits: (text) =>
      /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/.test(text) &&
      Number.isFinite(Number(text)),
    expected: "a number, such as 12.5",
  },
  BOOLEAN: { fits: (text) => text === "true" || text === "false", expected: "true or false" },
  ARRAY: { fits: isJsonArray, expected: 'a JSON array, such as ["a", 1]' },
  JSON: { fits: isJsonContainer, expected: "a JSON object or array" },
};

/** Why a text is no value of this type; undefined when it is one. */
function unfit(type: FieldType, text: string): string | undefined {
  const { fits, expected } = typeRules[type];
  return fits(text) ? undefined : `must be ${expected}`;
}

/** A value, with the name and the type of its field, which is made if missing. */
const MetadataObject = z.object({
  name: NameInput,
  type: MetadataFieldType,
  value: ValueText,
  origin: OwnOrigin,
})
  .superRefine((given, context) => {
    const message = unfit(given.type, given.value);
    if (message) context.addIssue({ code: "custom", path: ["value"], message });
  }).openapi("MetadataObject");
type MetadataObject = z.output<typeof MetadataObject>;

export const MetadataFieldValueForm = boundedArray(MetadataObject, maxFormValues)
  .openapi("MetadataFieldValueFormData");

export const MetadataFieldValueUpdateForm = z.object({ value: ValueText, origin: OwnOrigin })
  .openapi("MetadataFieldValueUpdateFormData");

export const MetadataFieldValueList = z.object({ items: z.array(MetadataFieldValue) })
  .openapi("MetadataFieldValueList");

type Deps = Pick<Context, "db">;

const usedFields = statement<JsonRow>("metadata-field-list")`
  WITH found AS (
    SELECT f FROM metadata_field f
     WHERE f.origin = 'INTERNAL' AND f.name ILIKE $1
       AND EXISTS (SELECT FROM metadata_value v WHERE v.field_id = f.id))
  ${
  listOfFound({ each: "json_metadata_field(f)", by: "(f).name, (f).type", window: ["$2", "$3"] })
}`;

/** The first fields that people use, by name and type; `query`: part of the name. MetadataFieldList as JSON text. */
export async function listFields({ db }: Deps, query: string | undefined): Promise<string> {
  return (await db.query(usedFields, [containsPattern(query ?? ""), maxListed, 0]))[0]!.json;
}

/**
 * Gives an entity values of fields that have none yet, MetadataFieldValueList as JSON text. Throws 404, 400 (USR003)
 * naming each field that has a value or is given twice, and 400 for more values than an entity may have.
 */
export function createValues(
  context: Deps,
  actor: Actor,
  entityId: number,
  forms: MetadataObject[],
): Promise<string> {
  const keys = forms.map(({ name, type }) => `${type} ${name}`);
  refuseFields(forms, (_, at) => keys.indexOf(keys[at]!) < at);
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lockEntity(tx, entityId);
    const fields = await ensureFields(tx, forms);
    const values = forms.map(({ value }) => value);
    const added = new Set((await tx.query(insert, [entityId, fields, values])).map(({ id }) => id));
    refuseFields(forms, (_, at) => !added.has(fields[at]!));
    await refuseTooMany(tx, entityId);
    if (forms.length > 0) {
      const after = forms.map(({ name, type, value }, at) => ({
        id: fields[at]!,
        name,
        type,
        value,
      }));
      change.record({ type: "CUSTOM_METADATA_CREATED", entityId, before: [], after });
      change.searchable([entityId]);
    }
    return (await tx.query(valuesOfFields, [entityId, fields]))[0]!.json;
  });
}

/** A value that people gave an entity, by its field. */
interface ValueRef {
  data_entity_id: number;
  metadata_field_id: number;
}

/**
 * Changes a value; MetadataFieldValue. Throws 404 for an entity without a value of the field, and 400 for a value of a
 * collector or one that is not of the field's type.
 */
export function updateValue(context: Deps, actor: Actor, at: ValueRef, value: string) {
  return changing(context, actor, async (change) => {
    const was = await lockValue(change.tx, at);
    const { data_entity_id: entityId, metadata_field_id: fieldId } = at;
    const { origin, ...state } = was;
    const message = unfit(was.type as FieldType, value);
    if (message) {
      throw badRequest(`The value is not ${was.type}: it ${message}`, [{
        field: "value",
        message,
      }]);
    }
    if (value !== was.value) {
      await change.tx.query(update, [entityId, fieldId, value]);
      const after = [{ ...state, value }];
      change.record({ type: "CUSTOM_METADATA_UPDATED", entityId, before: [state], after });
      change.searchable([entityId]);
    }
    return { field: { id: was.id, name: was.name, type: was.type, origin }, value };
  });
}

/** Takes a value from an entity. Throws 404 as `updateValue` does, and 400 for a value of a collector. */
export function deleteValue(context: Deps, actor: Actor, at: ValueRef): Promise<void> {
  return changing(context, actor, async (change) => {
    const { origin: _, ...state } = await lockValue(change.tx, at);
    const { data_entity_id: entityId, metadata_field_id: fieldId } = at;
    await change.tx.query(remove, [entityId, fieldId]);
    change.record({ type: "CUSTOM_METADATA_DELETED", entityId, before: [state], after: [] });
    change.searchable([entityId]);
  });
}

/** A value of an entity, with its field. */
interface StoredValue extends CustomMetadataState {
  origin: "INTERNAL" | "EXTERNAL";
}

const storedValue = statement<StoredValue>("metadata-held")`
  SELECT f.id, f.name, f.type, f.origin, v.value
    FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
   WHERE v.entity_id = $1 AND v.field_id = $2`;

/** Locks the entity; the value that people gave it. Throws 404, and 400 for a value of a collector. */
async function lockValue(
  tx: Transaction,
  { data_entity_id: entityId, metadata_field_id: fieldId }: ValueRef,
): Promise<StoredValue> {
  await lockEntity(tx, entityId);
  const rows = await tx.query(storedValue, [entityId, fieldId]);
  const stored = requireFound(rows, `Metadata of data entity ${entityId} in field`, fieldId);
  if (stored.origin === "EXTERNAL") {
    throw badRequest(`${stored.name} is set by a collector, so it cannot be changed here`, [
      { field: "metadata_field_id", message: "must be a field that people set" },
    ]);
  }
  return stored;
}

const count = statement<{ count: number }>("metadata-count")`
  SELECT count(*) AS count FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
   WHERE v.entity_id = $1 AND f.origin = 'INTERNAL'`;

/** Throws 400 for an entity that people gave more values than it may have. */
async function refuseTooMany(tx: Transaction, entityId: number): Promise<void> {
  const [counted] = await tx.query(count, [entityId]);
  if (counted!.count <= maxEntityValues) return;
  const message = `must not bring the entity to more than ${maxEntityValues} values`;
  throw badRequest(`Data entity ${entityId} would have too many values`, [
    { field: "body", message },
  ]);
}

/** Throws 400 for values of a form for which `wrong` is true. */
function refuseFields(
  forms: MetadataObject[],
  wrong: (form: MetadataObject, at: number) => boolean,
): void {
  const details = forms.flatMap((form, at) =>
    wrong(form, at)
      ? [{
        field: `[${at}].name`,
        message: `must not be a ${form.type} that the entity has a value of`,
      }]
      : []
  );
  if (details.length === 0) return;
  throw conflict(`The entity has a value of such a field already (${details[0]!.field})`, details);
}

/** A field of people, by what it is known by. */
interface FieldName {
  name: string;
  type: string;
}

const lockFields = statement<FieldName & { id: number }>("metadata-field-hold")`
  SELECT f.id, f.name, f.type
    FROM metadata_field f JOIN unnest($1::text[], $2::text[]) AS w (name, type)
      ON f.name = w.name AND f.type = w.type
   WHERE f.origin = 'INTERNAL' ORDER BY f.id FOR KEY SHARE OF f`;

const addFields = statement("metadata-field-add")`
  INSERT INTO metadata_field (name, type, origin)
  SELECT name, type, 'INTERNAL' FROM unnest($1::text[], $2::text[]) AS w (name, type)
   ORDER BY name COLLATE "C", type
  ON CONFLICT (name, type, origin) DO NOTHING`;

const attempts = 5;

/** Ids of these fields of people, different from each other, in their order; missing ones are made. */
async function ensureFields(tx: Transaction, wanted: FieldName[]): Promise<number[]> {
  const values = [wanted.map(({ name }) => name), wanted.map(({ type }) => type)];
  const key = ({ name, type }: FieldName) => `${type} ${name}`;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = new Map((await tx.query(lockFields, values)).map((row) => [key(row), row.id]));
    if (found.size === wanted.length) return wanted.map((field) => found.get(key(field))!);
    await tx.query(addFields, values);
  }
  throw unavailable("The metadata field is being removed: try again");
}

/** Gives a locked entity values; returns the fields that had none. */
const insert = statement<{ id: number }>("metadata-insert")`
  INSERT INTO metadata_value (entity_id, field_id, value)
  SELECT $1, field_id, value FROM unnest($2::bigint[], $3::text[]) AS w (field_id, value)
  ON CONFLICT (entity_id, field_id) DO NOTHING RETURNING field_id AS id`;

const update = statement("metadata-update")`
  UPDATE metadata_value SET value = $3 WHERE entity_id = $1 AND field_id = $2`;

const remove = statement("metadata-remove")`
  DELETE FROM metadata_value WHERE entity_id = $1 AND field_id = $2`;

/** MetadataFieldValueList of these fields, in their order. */
const valuesOfFields = statement<JsonRow>("metadata-of-fields")`
  SELECT json_build_object('items',
    coalesce(json_agg(json_metadata_value(f, v.value) ORDER BY w.place), '[]'))::text AS json
    FROM unnest($2::bigint[]) WITH ORDINALITY AS w (id, place)
    JOIN metadata_value v ON v.entity_id = $1 AND v.field_id = w.id
    JOIN metadata_field f ON f.id = w.id`;
