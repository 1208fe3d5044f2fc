import { texts } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { datahubRoot } from "#platform/naming/datahub/catrns.ts";
import type { ChangeSet } from "../change-set.ts";
import { run } from "../statement.ts";
import * as sql from "./taken-over.queries.ts";

/**
 * Has mapped again what DataHub posted and another data source posts by now: the lineage that DataHub reported was that of
 * the entity and went with its former payload, so it is posted as a job.
 */
export async function markTakenOver(tx: Transaction, set: ChangeSet): Promise<void> {
  const taken = set.changes.filter(({ formerSourceId }) => formerSourceId !== null);
  if (taken.length === 0) return;
  await run(tx, sql.mapAgain, [texts(taken.map(({ catrn }) => catrn)), set.sourceId, datahubRoot]);
}
