import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listJson } from "#services/api/list-json.ts";
import type { Severity, SlaResults } from "#services/api/features/quality/sla.ts";

/** Rows of datasets, deleted ones too, as all that is read by id. */
const dataset = "data_entity d WHERE d.id = $1 AND NOT d.hollow AND 1 = ANY (d.class_ids)";

const finishedTests = statement<{ severity: Severity | null; total: number; success: number }>(
  "quality-judged",
)`
  SELECT j.severity, j.total, j.success
    FROM (SELECT d.id FROM ${dataset}) d LEFT JOIN LATERAL (
      SELECT t.severity, count(*) AS total, count(*) FILTER (WHERE o.finished = 'SUCCESS') AS success
        FROM dataset_tests(d.id) t, LATERAL test_outcome(t.test_id) o
       WHERE o.finished IN ('SUCCESS', 'FAILED') GROUP BY t.severity) j ON true`;

/** The tests of a dataset that decide about its SLA; undefined unless there is such a dataset. */
export async function slaResults(db: Queryable, id: number): Promise<SlaResults | undefined> {
  const rows = await db.query(finishedTests, [id]);
  if (rows.length === 0) return undefined;
  const none = () => ({ total: 0, success: 0 });
  const tests: SlaResults = { MINOR: none(), MAJOR: none(), CRITICAL: none() };
  for (const { severity, total, success } of rows) {
    if (severity) tests[severity] = { total, success };
  }
  return tests;
}

const finished = (status: string) => `count(*) FILTER (WHERE o.finished = '${status}')`;
const report = statement<JsonRow>("quality-test-report")`
  SELECT (SELECT json_build_object(
             'score', round(100.0 * ${finished("SUCCESS")} / nullif(count(*), 0))::int,
             'total', count(*),
             'success_total', ${finished("SUCCESS")}, 'failed_total', ${finished("FAILED")},
             'skipped_total', ${finished("SKIPPED")}, 'broken_total', ${finished("BROKEN")},
             'aborted_total', ${finished("ABORTED")},
             'unknown_total', ${finished("UNKNOWN")} + count(*) FILTER (WHERE o.finished IS NULL),
             'running_total', count(*) FILTER (WHERE o.latest = 'RUNNING'))
            FROM dataset_tests(d.id) t LEFT JOIN LATERAL test_outcome(t.test_id) o ON true)::text
         AS json
    FROM ${dataset}`;

/** DataSetTestReport as JSON text; undefined unless there is such a dataset. */
export async function testReport(db: Queryable, id: number): Promise<string | undefined> {
  return (await db.query(report, [id]))[0]?.json;
}

const tests = statement<JsonRow>("quality-tests")`
  SELECT ${
  listJson({
    each: "json_dataset_test(e, t.severity, $4)",
    by: "t.test_id",
    from: `(SELECT * FROM dataset_tests(d.id) ORDER BY test_id LIMIT $2 OFFSET $3) t
             JOIN data_entity e ON e.id = t.test_id`,
    total: "counted.total",
    window: ["$2", "$3"],
  })
}::text AS json
    FROM (SELECT d.id FROM ${dataset}) d,
         LATERAL (SELECT count(*) AS total FROM dataset_tests(d.id)) counted`;

/** DataEntityList of a page of its tests, by id, as JSON text; undefined unless there is such a dataset. */
export async function testPage(
  db: Queryable,
  id: number,
  { limit, offset }: PageWindow,
  staleDays: number,
): Promise<string | undefined> {
  return (await db.query(tests, [id, limit, offset, staleDays]))[0]?.json;
}

const set = statement<{ test_id: number }>("quality-set-severity")`
  INSERT INTO dataset_test_severity (test_id, dataset_id, severity)
  SELECT t.test_id, $1, $3 FROM dataset_tests($1) t WHERE t.test_id = $2
  ON CONFLICT (test_id, dataset_id) DO UPDATE SET severity = excluded.severity
  RETURNING test_id`;

/** Sets how severe a test is for a dataset; false unless it is a live test of it. */
export async function setSeverity(
  tx: Transaction,
  dataset: number,
  test: number,
  severity: Severity,
): Promise<boolean> {
  return (await tx.query(set, [dataset, test, severity])).length > 0;
}

const one = statement<JsonRow>("quality-test")`
  SELECT json_dataset_test(e, $2, $3)::text AS json FROM data_entity e WHERE e.id = $1`;

/** DataEntity of a test with this severity, as JSON text. */
export async function testJson(
  tx: Transaction,
  test: number,
  severity: Severity,
  staleDays: number,
): Promise<string> {
  return (await tx.query(one, [test, severity, staleDays]))[0]!.json;
}
