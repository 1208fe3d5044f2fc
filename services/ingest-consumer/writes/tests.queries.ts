import { statement } from "#metadata/postgres/statement.ts";

/** $1 entities with earlier rows, $2 tests and $3 their datasets as posted. */
export const replace = statement("ingest-replace-test-datasets")`
  WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS w (test_id, dataset_id)),
   gone AS (
     DELETE FROM test_dataset x WHERE x.test_id = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.test_id = x.test_id AND w.dataset_id = x.dataset_id))
   INSERT INTO test_dataset (test_id, dataset_id)
   SELECT test_id, dataset_id FROM wanted
   ON CONFLICT DO NOTHING`;
