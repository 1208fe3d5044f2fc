import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { bigint, columns, run } from "../statement.ts";

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
  await run(tx, replace, [
    bigints(earlier),
    ...columns(wanted, bigint((w) => w.id), bigint((w) => w.datasetId)),
  ]);
}

/** $1 entities with earlier rows, $2 tests and $3 their datasets as posted. */
const replace = statement("ingest-replace-test-datasets")`
  WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS w (test_id, dataset_id)),
   gone AS (
     DELETE FROM test_dataset x WHERE x.test_id = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.test_id = x.test_id AND w.dataset_id = x.dataset_id))
   INSERT INTO test_dataset (test_id, dataset_id)
   SELECT test_id, dataset_id FROM wanted
   ON CONFLICT DO NOTHING`;
