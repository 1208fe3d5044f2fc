import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { bigint, columns, run } from "../statement.ts";
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
  await run(tx, sql.replace, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.id), bigint((w) => w.datasetId)),
  ]);
}
