import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { columns, run } from "../statement.ts";
import * as sql from "./tests.queries.ts";

/** Makes a test cover exactly the datasets that its payload names. */
export async function writeTests(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap(({ id, item }) =>
    (item.data_quality_test?.dataset_list ?? []).map((catrn) => ({
      id,
      datasetId: set.idOf(catrn),
    }))
  );
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  await run(tx, sql.replace, [earlier, ...columns(wanted, (w) => w.id, (w) => w.datasetId)]);
}
