import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const dataset = statement<{ id: number }>("field-dataset")`
  SELECT dataset_id AS id FROM dataset_field WHERE id = $1`;

/** The dataset of a field, which never changes; undefined for an unknown field. */
export async function datasetOf(db: Queryable, field: number): Promise<number | undefined> {
  return (await db.query(dataset, [field]))[0]?.id;
}

/** A field of a locked dataset. */
export interface LockedField {
  id: number;
  datasetId: number;
  catrn: string;
  name: string;
  /** DataSetFieldType. */
  type: unknown;
  internalName: string | null;
  description: string | null;
  /** Whether the newest structure version has it. */
  current: boolean;
}

const lockedFieldStatement = statement<LockedField>("field-held")`
  SELECT f.id, f.dataset_id AS "datasetId", f.catrn, f.name, json_field_type(f) AS type,
         f.internal_name AS "internalName", f.internal_description AS description,
         EXISTS (SELECT FROM latest_fields(ARRAY[f.dataset_id]) l WHERE l.field_id = f.id) AS current
    FROM dataset_field f WHERE f.id = $1`;

export async function lockedField(tx: Transaction, id: number): Promise<LockedField> {
  return (await tx.query(lockedFieldStatement, [id]))[0]!;
}

const newest = statement<{ id: number }>("field-newest")`
  SELECT f.id FROM latest_fields(ARRAY[$1::bigint]) l JOIN dataset_field f ON f.id = l.field_id
   WHERE f.catrn = $2`;

/** The row that stands for a field in the newest version of its dataset; undefined when that lacks it. */
export async function newestRow(tx: Transaction, { datasetId, catrn }: LockedField) {
  return (await tx.query(newest, [datasetId, catrn]))[0]?.id;
}
