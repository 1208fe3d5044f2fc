import type { Actor } from "#contract/actor.ts";
import { badRequest, requireFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";

/** What every change of a field needs. */
export type Deps = Pick<Context, "db">;

/**
 * Changes a field while its dataset is locked, so that people and batches take turns. `before` runs ahead of the lock:
 * for rows that others lock before entities. Throws 404 for an unknown field, and 400 for one that is not of the newest
 * structure version, where what people write would be seen by nobody.
 */
export function changingField<P, T>(
  context: Deps,
  actor: Actor,
  id: number,
  before: (tx: Transaction) => Promise<P>,
  work: (change: Change, field: LockedField, prepared: P) => Promise<T>,
): Promise<T> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const dataset = requireFound(await tx.query(datasetOf, [id]), "Dataset field", id);
    const prepared = await before(tx);
    await lockEntity(tx, dataset.id);
    const field = (await tx.query(lockedField, [id]))[0]!;
    if (!field.current) throw await outdated(tx, field);
    return await work(change, field, prepared);
  });
}

/** For changes that lock nothing but the dataset. */
export const nothing = () => Promise.resolve();

async function outdated(tx: Transaction, { id, datasetId, catrn }: LockedField) {
  const [newest] = await tx.query(newestOf, [datasetId, catrn]);
  const message = newest
    ? `must be a field of the newest structure version, where it is ${newest.id}`
    : "must be a field of the newest structure version, which has no such field";
  return badRequest(`Dataset field ${id} belongs to an older structure version`, [
    { field: "dataset_field_id", message },
  ]);
}

/** The dataset of a field, which never changes. */
const datasetOf = statement<{ id: number }>("field-dataset")`
  SELECT dataset_id AS id FROM dataset_field WHERE id = $1`;

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

const lockedField = statement<LockedField>("field-held")`
  SELECT f.id, f.dataset_id AS "datasetId", f.catrn, f.name, json_field_type(f) AS type,
         f.internal_name AS "internalName", f.internal_description AS description,
         EXISTS (SELECT FROM latest_fields(ARRAY[f.dataset_id]) l WHERE l.field_id = f.id) AS current
    FROM dataset_field f WHERE f.id = $1`;

/** The row that stands for a field in the newest version of its dataset. */
const newestOf = statement<{ id: number }>("field-newest")`
  SELECT f.id FROM latest_fields(ARRAY[$1::bigint]) l JOIN dataset_field f ON f.id = l.field_id
   WHERE f.catrn = $2`;
