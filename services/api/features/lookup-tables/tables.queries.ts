import { entityClasses, entityTypes } from "#contract/entities.ts";
import type { LookupFieldType } from "#contract/catalogue/lookup-tables.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { types } from "./types.ts";

/** Until the transaction ends no other table of the namespace can get a name. */
export const lockNamespace = statement("lookup-lock-namespace")`
  SELECT 1 FROM namespace WHERE id = $1 FOR NO KEY UPDATE`;

/** Whether another table of the namespace that is there, than $3, has the name $2 in its normalised form. */
export const sameName = statement("lookup-same-name")`
  SELECT t.id FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id
   WHERE t.namespace_id = $1 AND t.normalised = $2 AND is_live(e.status) AND t.id <> $3 LIMIT 1`;

/** `live`: tables that are there; `standing`: with those that are deleted and can be restored. */
export const countTables = statement<{ live: number; standing: number }>("lookup-count-tables")`
  SELECT count(*) FILTER (WHERE is_live(e.status)) AS live, count(*) AS standing
    FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id`;

export interface TableRow {
  catrn: string;
  name: string;
  normalised: string;
  description: string | null;
  namespace: number;
}

const insertEntity = statement<{ id: number }>("lookup-insert-entity")`
  INSERT INTO data_entity (catrn, type_id, class_ids, external_name, external_description,
                           namespace_id, manually_created, created_at, updated_at)
  VALUES ($1, ${entityTypes.LOOKUP_TABLE.id}, '{${entityClasses.DATA_SET}}', $2, $3, $4, true, $5, $5)
  RETURNING id`;

const drawTable = statement<{ id: number }>("lookup-draw-table")`
  SELECT nextval('lookup_table_id_seq') AS id`;

const insertTable = statement("lookup-insert-table")`
  INSERT INTO lookup_table (id, entity_id, namespace_id, name, normalised, description,
                            physical_name, created_at, updated_at)
    OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`;

/** Makes the data entity and the table; `physicalName` gets the table's id. */
export async function insertLookupTable(
  tx: Transaction,
  row: TableRow,
  physicalName: (id: number) => string,
  now: Date,
): Promise<{ id: number; entity: number; physical: string }> {
  const at = now.toISOString();
  const { catrn, name, normalised, description, namespace } = row;
  const made = [catrn, name, description, namespace, at];
  const entity = (await tx.query(insertEntity, made))[0]!.id;
  const { id } = (await tx.query(drawTable))[0]!;
  const physical = physicalName(id);
  const table = [id, entity, namespace, name, normalised, description, physical, at];
  await tx.query(insertTable, table);
  return { id, entity, physical };
}

/** Names and describes the table, and the data entity that it is. */
export const updateTable = statement("lookup-update-table")`
  WITH entity AS (
    UPDATE data_entity SET external_name = $2, external_description = $4, updated_at = $5
     WHERE id = (SELECT entity_id FROM lookup_table WHERE id = $1))
  UPDATE lookup_table SET name = $2, normalised = $3, description = $4, updated_at = $5 WHERE id = $1`;

/** Notes that the columns of a table changed. */
export const touchTable = statement("lookup-touch-table")`
  WITH entity AS (UPDATE data_entity SET updated_at = $2
                   WHERE id = (SELECT entity_id FROM lookup_table WHERE id = $1))
  UPDATE lookup_table SET updated_at = $2 WHERE id = $1`;

const fieldTypes = Object.keys(types) as LookupFieldType[];
const typeOfField = `(SELECT f.field FROM unnest('{${fieldTypes}}'::text[],
  '{${
  fieldTypes.map((type) => types[type].field)
}}'::text[]) AS f (type, field) WHERE f.type = c.type)`;

/** A row of the newest structure, and the row in whose place it came. */
interface ReplacedRow {
  id: number;
  old: number | null;
}

// A field is another row when what its hash covers has changed, as with ingested datasets; the row of the
// version before stays as it was.
const renew = statement<ReplacedRow>("lookup-renew-fields")`
  WITH wanted AS (
    SELECT c.id AS column_id, c.field_id AS old, t.entity_id, n.catrn, c.name, c.description,
           ${typeOfField} AS type, c.type AS logical_type, c.is_nullable, c.is_primary_key,
           c.default_value,
           sha256(convert_to(jsonb_build_array(n.catrn, c.name, c.type, c.is_nullable,
             c.is_primary_key)::text, 'UTF8')) AS hash
      FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id
      JOIN lookup_column c ON c.table_id = t.id
      CROSS JOIN LATERAL (SELECT e.catrn || '/field/' || c.name AS catrn) n
     WHERE t.id = $1),
  changed AS MATERIALIZED (
    SELECT w.*, nextval('dataset_field_id_seq') AS id FROM wanted w
      LEFT JOIN dataset_field f ON f.id = w.old WHERE f.hash IS DISTINCT FROM w.hash),
  made AS (
    INSERT INTO dataset_field (id, dataset_id, catrn, name, external_description, type,
        logical_type, is_nullable, is_primary_key, default_value, hash, stats, internal_name,
        internal_description)
      OVERRIDING SYSTEM VALUE
    SELECT c.id, c.entity_id, c.catrn, c.name, c.description, c.type, c.logical_type, c.is_nullable,
           c.is_primary_key, c.default_value, c.hash, f.stats, f.internal_name,
           f.internal_description
      FROM changed c LEFT JOIN dataset_field f ON f.id = c.old),
  kept AS (
    UPDATE dataset_field f
       SET external_description = w.description, default_value = w.default_value
      FROM wanted w WHERE f.id = w.old AND f.hash = w.hash)
  UPDATE lookup_column l SET field_id = c.id FROM changed c WHERE l.id = c.column_id
  RETURNING c.id, c.old`;

const carry = statement("lookup-carry-details")`
  WITH pair AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS p (id, old)),
  tags AS (
    INSERT INTO field_tag (field_id, tag_id, origin)
    SELECT p.id, x.tag_id, x.origin FROM pair p JOIN field_tag x ON x.field_id = p.old),
  metadata AS (
    INSERT INTO field_metadata_value (field_id, metadata_field_id, value)
    SELECT p.id, x.metadata_field_id, x.value
      FROM pair p JOIN field_metadata_value x ON x.field_id = p.old),
  enums AS (
    INSERT INTO enum_value (field_id, name, description, origin)
    SELECT p.id, x.name, x.description, x.origin FROM pair p JOIN enum_value x ON x.field_id = p.old),
  terms AS (
    INSERT INTO field_term (field_id, term_id)
    SELECT p.id, x.term_id FROM pair p JOIN field_term x ON x.field_id = p.old)
  INSERT INTO field_mention (field_id, namespace, name)
  SELECT p.id, x.namespace, x.name FROM pair p JOIN field_mention x ON x.field_id = p.old`;

const version = statement("lookup-write-version")`
  WITH wanted AS (
    SELECT t.entity_id, array_agg(f.id ORDER BY c.id) AS ids,
           encode(sha256(string_agg(f.hash, '' ORDER BY c.id)), 'hex') AS hash
      FROM lookup_table t JOIN lookup_column c ON c.table_id = t.id
      JOIN dataset_field f ON f.id = c.field_id
     WHERE t.id = $1 GROUP BY t.entity_id)
  INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
  SELECT w.entity_id, coalesce(v.version, 0) + 1, w.hash, w.ids
    FROM wanted w LEFT JOIN dataset_version v ON v.id = latest_version(w.entity_id)
   WHERE v.field_ids IS DISTINCT FROM w.ids`;

/**
 * Makes the structure of the dataset that of the table: a new version when its columns changed. What people
 * said of a field goes with it. The data entity is locked.
 */
export async function writeStructure(tx: Transaction, table: number): Promise<void> {
  const renewed = await tx.query(renew, [table]);
  const pairs = renewed.filter(({ old }) => old !== null);
  if (pairs.length > 0) {
    await tx.query(carry, [pairs.map(({ id }) => id), pairs.map(({ old }) => old)]);
  }
  await tx.query(version, [table]);
}
