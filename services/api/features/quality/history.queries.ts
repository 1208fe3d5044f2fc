import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** Days of an answer, the current one included. */
export const historyDays = 30;

const counted = (condition: string) => `count(*) FILTER (WHERE ${condition})`;

// $1 dataset, $2 the first of the days. Days are those of UTC. What still runs has no result.
const history = statement<JsonRow>("quality-test-history")`
  SELECT json_build_object('days', (
    SELECT json_agg(json_build_object('date', to_char(day.at, 'YYYY-MM-DD'), 'success', coalesce(r.success, 0),
             'failed', coalesce(r.failed, 0), 'other', coalesce(r.other, 0)) ORDER BY day.at)
      FROM generate_series($2::timestamp, $2::timestamp + ${
  historyDays - 1
} * interval '1 day', '1 day') day (at)
      LEFT JOIN (
        SELECT date_trunc('day', coalesce(r.end_time, r.start_time) AT TIME ZONE 'utc') AS at,
               ${counted("r.status = 'SUCCESS'")} AS success, ${
  counted("r.status = 'FAILED'")
} AS failed,
               ${counted("r.status NOT IN ('SUCCESS', 'FAILED')")} AS other
          FROM dataset_tests(d.id) t JOIN task_run r ON r.task_id = t.test_id AND r.kind = 'TEST'
         WHERE coalesce(r.end_time, r.start_time) >= $2::timestamp AT TIME ZONE 'utc' AND r.status <> 'RUNNING'
         GROUP BY 1) r ON r.at = day.at))::text AS json
    FROM data_entity d WHERE d.id = $1 AND NOT d.hollow AND 1 = ANY (d.class_ids)`;

/** DataSetTestHistory as JSON text; undefined unless there is such a dataset. `from`: the first day, such as 2026-03-01. */
export async function testHistory(
  db: Queryable,
  id: number,
  from: string,
): Promise<string | undefined> {
  return (await db.query(history, [id, from]))[0]?.json;
}
