import { unavailable } from "#kit/errors.ts";
import type { CustomMetadataState } from "#metadata/catalogue/activity.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** A field of people, by what it is known by. */
export interface FieldName {
  name: string;
  type: string;
}

const lockField = statement<FieldName & { id: number }>("metadata-field-hold")`
  SELECT f.id, f.name, f.type
    FROM metadata_field f JOIN unnest($1::text[], $2::text[]) AS w (name, type)
      ON f.name = w.name AND f.type = w.type
   WHERE f.origin = 'INTERNAL' ORDER BY f.id FOR KEY SHARE OF f`;

const add = statement("metadata-field-add")`
  INSERT INTO metadata_field (name, type, origin)
  SELECT name, type, 'INTERNAL' FROM unnest($1::text[], $2::text[]) AS w (name, type)
   ORDER BY name COLLATE "C", type
  ON CONFLICT (name, type, origin) DO NOTHING`;

const attempts = 5;

/** Ids of these fields of people, different from each other, in their order; missing ones are made. */
export async function ensureFields(tx: Transaction, wanted: FieldName[]): Promise<number[]> {
  const values = [wanted.map(({ name }) => name), wanted.map(({ type }) => type)];
  const key = ({ name, type }: FieldName) => `${type} ${name}`;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = new Map((await tx.query(lockField, values)).map((row) => [key(row), row.id]));
    if (found.size === wanted.length) return wanted.map((field) => found.get(key(field))!);
    await tx.query(add, values);
  }
  throw unavailable("The metadata field is being removed: try again");
}

const count = statement<{ count: number }>("metadata-count")`
  SELECT count(*) AS count FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
   WHERE v.entity_id = $1 AND f.origin = 'INTERNAL'`;

/** How many values people gave an entity. */
export async function countValues(tx: Transaction, entity: number): Promise<number> {
  return (await tx.query(count, [entity]))[0]!.count;
}

const insert = statement<{ id: number }>("metadata-insert")`
  INSERT INTO metadata_value (entity_id, field_id, value)
  SELECT $1, field_id, value FROM unnest($2::bigint[], $3::text[]) AS w (field_id, value)
  ON CONFLICT (entity_id, field_id) DO NOTHING RETURNING field_id AS id`;

/** Gives a locked entity values; returns the fields that had none. */
export async function insertValues(
  tx: Transaction,
  entity: number,
  fields: number[],
  values: string[],
): Promise<Set<number>> {
  return new Set((await tx.query(insert, [entity, fields, values])).map(({ id }) => id));
}

/** A value of an entity, with its field. */
export interface StoredValue extends CustomMetadataState {
  origin: "INTERNAL" | "EXTERNAL";
}

const storedValueStatement = statement<StoredValue>("metadata-held")`
  SELECT f.id, f.name, f.type, f.origin, v.value
    FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
   WHERE v.entity_id = $1 AND v.field_id = $2`;

/** The value that an entity has of a field; undefined when it has none. */
export async function storedValue(tx: Transaction, entity: number, field: number) {
  return (await tx.query(storedValueStatement, [entity, field]))[0];
}

const update = statement("metadata-update")`
  UPDATE metadata_value SET value = $3 WHERE entity_id = $1 AND field_id = $2`;

export async function updateValue(tx: Transaction, entity: number, field: number, value: string) {
  await tx.query(update, [entity, field, value]);
}

const remove = statement("metadata-remove")`
  DELETE FROM metadata_value WHERE entity_id = $1 AND field_id = $2`;

export async function removeValue(tx: Transaction, entity: number, field: number) {
  await tx.query(remove, [entity, field]);
}

const some = statement<JsonRow>("metadata-of-fields")`
  SELECT json_build_object('items',
    coalesce(json_agg(json_metadata_value(f, v.value) ORDER BY w.place), '[]'))::text AS json
    FROM unnest($2::bigint[]) WITH ORDINALITY AS w (id, place)
    JOIN metadata_value v ON v.entity_id = $1 AND v.field_id = w.id
    JOIN metadata_field f ON f.id = w.id`;

/** MetadataFieldValueList of these fields, in their order, as JSON text. */
export async function valuesJson(tx: Transaction, entity: number, fields: number[]) {
  return (await tx.query(some, [entity, fields]))[0]!.json;
}

const listed = statement<JsonRow>("metadata-field-list")`
  WITH found AS (
    SELECT f FROM metadata_field f
     WHERE f.origin = 'INTERNAL' AND f.name ILIKE $1
       AND EXISTS (SELECT FROM metadata_value v WHERE v.field_id = f.id))
  SELECT json_build_object(
    'items', (SELECT coalesce(json_agg(json_metadata_field(f) ORDER BY (f).name, (f).type), '[]')
                FROM (SELECT f FROM found ORDER BY (f).name, (f).type LIMIT $2) page),
    'page_info', json_build_object('total', t.total, 'hasNext', t.total > $2))::text AS json
    FROM (SELECT count(*) AS total FROM found) t`;

/** MetadataFieldList as JSON text: the first fields of people that are in use, by name and type. */
export async function fieldList(db: Queryable, pattern: string, max: number): Promise<string> {
  return (await db.query(listed, [pattern, max]))[0]!.json;
}
