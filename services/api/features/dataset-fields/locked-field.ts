import type { Actor } from "#contract/actor.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/dataset-fields/locked-field.queries.ts";

/** What every change of a field needs. */
export type Deps = Pick<Context, "db">;
export type { LockedField } from "#services/api/features/dataset-fields/locked-field.queries.ts";

/** The dataset of a field. Throws 404 for an unknown field. */
export async function datasetOf(db: Queryable, id: number): Promise<number> {
  const dataset = await queries.datasetOf(db, id);
  if (dataset === undefined) throw notFound("Dataset field", id);
  return dataset;
}

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
  work: (change: Change, field: queries.LockedField, prepared: P) => Promise<T>,
): Promise<T> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const dataset = await datasetOf(tx, id);
    const prepared = await before(tx);
    await lockEntity(tx, dataset);
    const field = await queries.lockedField(tx, id);
    if (!field.current) throw await outdated(tx, field);
    return await work(change, field, prepared);
  });
}

/** For changes that lock nothing but the dataset. */
export const nothing = () => Promise.resolve();

async function outdated(tx: Transaction, field: queries.LockedField) {
  const newest = await queries.newestRow(tx, field);
  const message = newest === undefined
    ? "must be a field of the newest structure version, which has no such field"
    : `must be a field of the newest structure version, where it is ${newest}`;
  return badRequest(`Dataset field ${field.id} belongs to an older structure version`, [
    { field: "dataset_field_id", message },
  ]);
}
