import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** A value that a field may have. */
export interface StoredEnumValue {
  id: number;
  name: string;
  description: string | null;
  origin: "INTERNAL" | "EXTERNAL";
}

const storedValuesStatement = statement<StoredEnumValue>("enum-value-held")`
  SELECT id, name, description, origin FROM enum_value WHERE field_id = $1 ORDER BY id`;

export function storedValues(tx: Transaction, field: number): Promise<StoredEnumValue[]> {
  return tx.query(storedValuesStatement, [field]);
}

const remove = statement("enum-value-remove")`
  DELETE FROM enum_value WHERE field_id = $1 AND origin = 'INTERNAL' AND id = ANY($2::bigint[])`;

/** Takes values that people gave a field. */
export async function removeValues(tx: Transaction, field: number, ids: number[]): Promise<void> {
  await tx.query(remove, [field, ids]);
}

const insert = statement("enum-value-insert")`
  INSERT INTO enum_value (id, field_id, name, description, origin) OVERRIDING SYSTEM VALUE
  SELECT coalesce(w.id, nextval(pg_get_serial_sequence('enum_value', 'id'))), $1, w.name,
         w.description, 'INTERNAL'
    FROM (SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[])
            WITH ORDINALITY AS w (id, name, description, place) ORDER BY place) w`;

/** A value to write; a new one has no id yet. */
export interface DesiredValue {
  id: number | null;
  name: string;
  description: string | null;
}

/** Gives a field values by hand, in this order; those with an id get it back. */
export async function insertValues(
  tx: Transaction,
  field: number,
  wanted: DesiredValue[],
): Promise<void> {
  await tx.query(insert, [
    field,
    wanted.map(({ id }) => id),
    wanted.map(({ name }) => name),
    wanted.map(({ description }) => description),
  ]);
}

const list = statement<JsonRow>("enum-value-list")`
  SELECT json_build_object(
    'external', coalesce(bool_or(v.origin = 'EXTERNAL'), false),
    'items', coalesce(json_agg(json_build_object('id', v.id, 'name', v.name,
        'description', v.description, 'modifiable', v.origin = 'INTERNAL') ORDER BY v.id)
      FILTER (WHERE v.id IS NOT NULL), '[]'))::text AS json
    FROM dataset_field f JOIN data_entity e ON e.id = f.dataset_id AND NOT e.hollow
    LEFT JOIN enum_value v ON v.field_id = f.id
   WHERE f.id = $1 GROUP BY f.id`;

/** EnumValueList of a field as JSON text; undefined for an unknown field. */
export async function valueList(db: Queryable, field: number): Promise<string | undefined> {
  return (await db.query(list, [field]))[0]?.json;
}
