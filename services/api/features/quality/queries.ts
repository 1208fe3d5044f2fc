import type { PageWindow } from "#contract/http.ts";
import type { SLAColour } from "#contract/catalogue/quality.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listJson } from "#services/api/list-json.ts";

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

/** Severities of tests, the least first. */
export const severities = ["MINOR", "MAJOR", "CRITICAL"] as const;
export type Severity = (typeof severities)[number];

/** Tests of one severity whose last finished run was SUCCESS or FAILED. */
interface SeverityResult {
  total: number;
  success: number;
}
export type SlaResults = Record<Severity, SeverityResult>;

/** How a dataset keeps what its tests demand. */
interface Sla {
  colour: SLAColour;
  /** Weights. */
  total: number;
  success: number;
  weights: Record<Severity, number>;
}

/**
 * A minor test weighs 1, a major one as much as all minor ones together, a critical one as much as all
 * of the severities below it that has any.
 */
export function slaOf(tests: SlaResults): Sla {
  let unit = 1;
  const sla: Sla = {
    colour: colourOf(tests),
    total: 0,
    success: 0,
    weights: { MINOR: 0, MAJOR: 0, CRITICAL: 0 },
  };
  for (const severity of severities) {
    const { total, success } = tests[severity];
    const weight = total * unit;
    sla.weights[severity] = weight;
    sla.total += weight;
    sla.success += success * unit;
    if (total > 0) unit = weight;
  }
  return sla;
}

/** The colour of a dataset: the first rule that holds. */
export function colourOf(
  { MINOR: minor, MAJOR: major, CRITICAL: critical }: SlaResults,
): SLAColour {
  if (minor.total + major.total + critical.total === 0) return "YELLOW";
  if (failed(critical) > 0) return "RED";
  if (allFailed(major)) return "RED";
  if (major.total > 0 && major.success === 1 && allFailed(minor)) return "RED";
  if (failed(major) > 0) return "YELLOW";
  return allFailed(minor) ? "YELLOW" : "GREEN";
}

const failed = ({ total, success }: SeverityResult) => total - success;
const allFailed = ({ total, success }: SeverityResult) => total > 0 && success === 0;
