import type { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import type { DataSetSLAReport, SLAColour } from "#contract/catalogue/quality.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { type BadgeFormat, badgeReply } from "#services/api/features/quality/badge.ts";
import { foundJson, listJson } from "#services/api/list-json.ts";
import { staleDays } from "#services/api/stale.ts";
export type { DashboardFilter } from "#services/api/features/quality/dashboard.ts";
export {
  listCountedTables,
  listCountedTests,
  qualityDashboard,
} from "#services/api/features/quality/dashboard.ts";

/** Severities of tests, the least first. */
const severities = ["MINOR", "MAJOR", "CRITICAL"] as const;
export type Severity = (typeof severities)[number];

/** Tests of one severity whose last finished run was SUCCESS or FAILED. */
interface SeverityResult {
  total: number;
  success: number;
}
export type SlaResults = Record<Severity, SeverityResult>;

type Deps = Pick<Context, "db" | "config" | "baseUrl">;

/**
 * The answer with the badge of a dataset, in a format or in the one that the headers of the request
 * prefer. Throws 404 for what is no dataset, or is only referred to.
 */
export async function slaBadge(
  { db }: Deps,
  dataset: number,
  { format, headers }: { format?: BadgeFormat | undefined; headers: Headers },
): Promise<Reply> {
  const tests = await slaResults(db, dataset);
  const sum = (of: "total" | "success") =>
    severities.reduce((all, severity) => all + tests[severity][of], 0);
  const badge = { colour: colourOf(tests), total: sum("total"), success: sum("success") };
  return badgeReply(badge, format, headers);
}

/** DataSetSLAReport. Throws 404 as above. */
export async function slaReport(
  { db, baseUrl }: Deps,
  dataset: number,
): Promise<z.output<typeof DataSetSLAReport>> {
  const { total, success, colour, weights } = slaOf(await slaResults(db, dataset));
  return {
    total,
    success,
    sla_colour: colour,
    severity_weights: severities.map((severity) => ({ severity, count: weights[severity] })),
    sla_ref: `${baseUrl().replace(/\/$/, "")}/api/datasets/${dataset}/sla`,
  };
}

/** Rows of datasets, deleted ones too, as all that is read by id. */
const datasetRow = "data_entity d WHERE d.id = $1 AND NOT d.hollow AND 1 = ANY (d.class_ids)";

const finishedTests = statement<{ severity: Severity | null; total: number; success: number }>(
  "quality-judged",
)`
  SELECT j.severity, j.total, j.success
    FROM (SELECT d.id FROM ${datasetRow}) d LEFT JOIN LATERAL (
      SELECT t.severity, count(*) AS total, count(*) FILTER (WHERE o.finished = 'SUCCESS') AS success
        FROM dataset_tests(d.id) t, LATERAL test_outcome(t.test_id) o
       WHERE o.finished IN ('SUCCESS', 'FAILED') GROUP BY t.severity) j ON true`;

/** The tests of a dataset that decide about its SLA. Throws 404 as above. */
async function slaResults(db: Queryable, dataset: number): Promise<SlaResults> {
  const rows = await db.query(finishedTests, [dataset]);
  if (rows.length === 0) throw notFound("Dataset", dataset);
  const none = () => ({ total: 0, success: 0 });
  const tests: SlaResults = { MINOR: none(), MAJOR: none(), CRITICAL: none() };
  for (const { severity, total, success } of rows) {
    if (severity) tests[severity] = { total, success };
  }
  return tests;
}

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

const countIf = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
const finished = (status: string) => countIf(`o.finished = '${status}'`);
const testReportStatement = statement<JsonRow>("quality-test-report")`
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
    FROM ${datasetRow}`;

/** DataSetTestReport as JSON text. Throws 404 as above. */
export async function testReport({ db }: Deps, dataset: number): Promise<string> {
  return foundJson(await db.query(testReportStatement, [dataset]), "Dataset", dataset);
}

/** Days of a history, the current one included. */
const historyDays = 30;

// $1 dataset, $2 the first of the days. Days are those of UTC. What still runs has no result.
const testHistoryStatement = statement<JsonRow>("quality-test-history")`
  SELECT json_build_object('days', (
    SELECT json_agg(json_build_object('date', to_char(day.at, 'YYYY-MM-DD'), 'success', coalesce(r.success, 0),
             'failed', coalesce(r.failed, 0), 'other', coalesce(r.other, 0)) ORDER BY day.at)
      FROM generate_series($2::timestamp, $2::timestamp + ${
  historyDays - 1
} * interval '1 day', '1 day') day (at)
      LEFT JOIN (
        SELECT date_trunc('day', coalesce(r.end_time, r.start_time) AT TIME ZONE 'utc') AS at,
               ${countIf("r.status = 'SUCCESS'")} AS success, ${
  countIf("r.status = 'FAILED'")
} AS failed,
               ${countIf("r.status NOT IN ('SUCCESS', 'FAILED')")} AS other
          FROM dataset_tests(d.id) t JOIN task_run r ON r.task_id = t.test_id AND r.kind = 'TEST'
         WHERE coalesce(r.end_time, r.start_time) >= $2::timestamp AT TIME ZONE 'utc' AND r.status <> 'RUNNING'
         GROUP BY 1) r ON r.at = day.at))::text AS json
    FROM ${datasetRow}`;

/** DataSetTestHistory as JSON text. Throws 404 as above. */
export async function testHistory(
  { db, clock }: Pick<Context, "db" | "clock">,
  dataset: number,
): Promise<string> {
  const first = new Date(clock.now() - (historyDays - 1) * 86_400_000);
  const values = [dataset, first.toISOString().slice(0, 10)];
  return foundJson(await db.query(testHistoryStatement, values), "Dataset", dataset);
}

const testPage = statement<JsonRow>("quality-tests")`
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
    FROM (SELECT d.id FROM ${datasetRow}) d,
         LATERAL (SELECT count(*) AS total FROM dataset_tests(d.id)) counted`;

/** DataEntityList of a page of a dataset's live tests, by id, as JSON text. Throws 404 as above. */
export async function listTests(context: Deps, dataset: number, page: PageQuery): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const values = [dataset, limit, offset, staleDays(context)];
  return foundJson(await context.db.query(testPage, values), "Dataset", dataset);
}

/**
 * Sets how severe a test is for a dataset; DataEntity of the test as JSON text. Throws 404 unless it is
 * a live test of the dataset.
 */
export function setSeverity(
  context: Deps,
  actor: Actor,
  { dataset, test, severity }: { dataset: number; test: number; severity: Severity },
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockEntities(tx, [dataset, test]);
    const stored = await tx.query(storeSeverity, [dataset, test, severity]);
    if (stored.length === 0) throw notFound(`Test of dataset ${dataset}`, test);
    return (await tx.query(testJson, [test, severity, staleDays(context)]))[0]!.json;
  });
}

/** Sets how severe a test is for a dataset; no row unless it is a live test of it. */
const storeSeverity = statement("quality-set-severity")`
  INSERT INTO dataset_test_severity (test_id, dataset_id, severity)
  SELECT t.test_id, $1, $3 FROM dataset_tests($1) t WHERE t.test_id = $2
  ON CONFLICT (test_id, dataset_id) DO UPDATE SET severity = excluded.severity
  RETURNING test_id`;

/** DataEntity of a test with this severity. */
const testJson = statement<JsonRow>("quality-test")`
  SELECT json_dataset_test(e, $2, $3)::text AS json FROM data_entity e WHERE e.id = $1`;
