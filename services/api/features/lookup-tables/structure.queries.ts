import type { LookupFieldType } from "#contract/catalogue/lookup-tables.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { columnsOf, type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** A column, as it is written and read. */
export interface Column {
  id: number;
  name: string;
  normalised: string;
  physical: string;
  description: string | null;
  type: LookupFieldType;
  /** Whether it is the key of the rows. */
  key: boolean;
  nullable: boolean;
  unique: boolean;
  /** As a cell holds it. */
  default: string | null;
}

/** A table with its columns in the order in which they were made; the key comes first. */
export interface Table {
  id: number;
  entity: number;
  namespace: number;
  name: string;
  description: string | null;
  physical: string;
  columns: Column[];
}

const described = `
  SELECT t.id, t.entity_id AS entity, t.namespace_id AS namespace, t.name, t.description,
         t.physical_name AS physical,
         (SELECT json_agg(json_build_object('id', c.id, 'name', c.name, 'normalised', c.normalised,
                   'physical', c.physical_name, 'description', c.description, 'type', c.type,
                   'key', c.is_primary_key, 'nullable', c.is_nullable, 'unique', c.is_unique,
                   'default', c.default_value) ORDER BY c.id)
            FROM lookup_column c WHERE c.table_id = t.id) AS columns
    FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id`;

/** The table, when it is there. */
export const structure = statement<Table>("lookup-structure")`${described}
   WHERE t.id = $1 AND is_live(e.status)`;

/** Every table, also deleted ones. */
export const structures = statement<Table>("lookup-structures")`${described} ORDER BY t.id`;

/** The data entity that the table is, also while it is deleted. */
export const entityOf = statement<{ id: number }>("lookup-entity")`
  SELECT entity_id AS id FROM lookup_table WHERE id = $1`;

/** LookupTable. */
export const tableJson = statement<JsonRow>("lookup-table-json")`
  SELECT json_lookup_table(t)::text AS json
    FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id
   WHERE t.id = $1 AND is_live(e.status)`;

/** LookupTableField. */
export const columnJson = statement<JsonRow>("lookup-column-json")`
  SELECT json_lookup_column(c)::text AS json FROM lookup_column c WHERE c.id = $1`;

const drawColumns = statement<{ ids: number[] }>("lookup-draw-columns")`
  SELECT ARRAY(SELECT nextval('lookup_column_id_seq') FROM generate_series(1, $1)) AS ids`;

/** Ids for so many columns to come, in rising order. */
export async function columnIds(tx: Transaction, count: number): Promise<number[]> {
  return (await tx.query(drawColumns, [count]))[0]!.ids;
}

const insert = statement("lookup-insert-columns")`
  INSERT INTO lookup_column (id, table_id, name, normalised, physical_name, description, type,
                             is_primary_key, is_nullable, is_unique, default_value)
    OVERRIDING SYSTEM VALUE
  SELECT c.id, $1, c.name, c.normalised, c.physical_name, c.description, c.type, c.is_primary_key,
         c.is_nullable, c.is_unique, c.default_value
    FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                $8::boolean[], $9::boolean[], $10::boolean[], $11::text[])
      AS c (id, name, normalised, physical_name, description, type, is_primary_key, is_nullable,
            is_unique, default_value)`;

export async function insertColumns(
  tx: Transaction,
  table: number,
  columns: Column[],
): Promise<void> {
  const values = columnsOf(
    columns,
    "id",
    "name",
    "normalised",
    "physical",
    "description",
    "type",
    "key",
    "nullable",
    "unique",
    "default",
  );
  await tx.query(insert, [table, ...values]);
}

export const updateColumn = statement("lookup-update-column")`
  UPDATE lookup_column SET name = $2, normalised = $3, description = $4, is_nullable = $5,
         is_unique = $6, default_value = $7
   WHERE id = $1`;

export const deleteColumn = statement(
  "lookup-delete-column",
)`DELETE FROM lookup_column WHERE id = $1`;
