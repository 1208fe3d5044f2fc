import { entityClasses, entityTypes } from "#contract/entities.ts";
import { refreshDocuments } from "#metadata/catalogue/search-documents.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const lockNamespace = statement("lookup-lock-namespace")`
  SELECT 1 FROM namespace WHERE id = $1 FOR NO KEY UPDATE`;

const sameName = statement<{ id: number }>("lookup-same-name")`
  SELECT t.id FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id
   WHERE t.namespace_id = $1 AND t.normalised = $2 AND is_live(e.status) AND t.id <> $3 LIMIT 1`;

/**
 * Whether another table of the namespace that is there has the name, in its normalised form. Until the
 * transaction ends no other one can get it.
 */
export async function isTaken(
  tx: Transaction,
  namespace: number,
  normalised: string,
  except: number,
): Promise<boolean> {
  await tx.query(lockNamespace, [namespace]);
  return (await tx.query(sameName, [namespace, normalised, except])).length > 0;
}

export interface TableCounts {
  /** Tables that are there. */
  live: number;
  /** With those that are deleted and can be restored. */
  standing: number;
}

const countTables = statement<TableCounts>("lookup-count-tables")`
  SELECT count(*) FILTER (WHERE is_live(e.status)) AS live, count(*) AS standing
    FROM lookup_table t JOIN data_entity e ON e.id = t.entity_id`;

export async function countTablesIn(tx: Transaction): Promise<TableCounts> {
  return (await tx.query(countTables))[0]!;
}

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
  await tx.query(insertTable, [
    id,
    entity,
    namespace,
    name,
    normalised,
    description,
    physical,
    at,
  ]);
  return { id, entity, physical };
}

const update = statement("lookup-update-table")`
  WITH entity AS (
    UPDATE data_entity SET external_name = $2, external_description = $4, updated_at = $5
     WHERE id = (SELECT entity_id FROM lookup_table WHERE id = $1))
  UPDATE lookup_table SET name = $2, normalised = $3, description = $4, updated_at = $5 WHERE id = $1`;

/** Names and describes the table, and the data entity that it is. */
export async function updateLookupTable(
  tx: Transaction,
  id: number,
  row: Pick<TableRow, "name" | "normalised" | "description">,
  now: Date,
): Promise<void> {
  await tx.query(update, [id, row.name, row.normalised, row.description, now.toISOString()]);
}

const touch = statement("lookup-touch-table")`
  WITH entity AS (UPDATE data_entity SET updated_at = $2
                   WHERE id = (SELECT entity_id FROM lookup_table WHERE id = $1))
  UPDATE lookup_table SET updated_at = $2 WHERE id = $1`;

/** Notes that the columns of a table changed. */
export async function touchTable(tx: Transaction, id: number, now: Date): Promise<void> {
  await tx.query(touch, [id, now.toISOString()]);
}

/** Rebuilds what the table is found by. */
export async function refreshDocument(tx: Transaction, id: number): Promise<void> {
  await refreshDocuments(tx, "lookup_table", [id]);
}
