import type { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import type { DataSetSLAReport } from "#contract/catalogue/quality.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Reply } from "#platform/operations/reply.ts";
import { type BadgeFormat, badgeReply } from "#services/api/features/quality/badge.ts";
import * as queries from "#services/api/features/quality/queries.ts";
import {
  colourOf,
  severities,
  type Severity,
  slaOf,
  type SlaResults,
} from "#services/api/features/quality/queries.ts";
import { staleDays } from "#services/api/stale.ts";

export type { DashboardFilter } from "#services/api/features/quality/dashboard.ts";
export {
  listCountedTables,
  listCountedTests,
  qualityDashboard,
} from "#services/api/features/quality/dashboard.ts";

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

async function slaResults(db: Context["db"], dataset: number): Promise<SlaResults> {
  return await queries.slaResults(db, dataset) ?? unknown(dataset);
}

/** DataSetTestReport as JSON text. Throws 404 as above. */
export async function testReport({ db }: Deps, dataset: number): Promise<string> {
  return await queries.testReport(db, dataset) ?? unknown(dataset);
}

/** DataSetTestHistory as JSON text. Throws 404 as above. */
export async function testHistory(
  { db, clock }: Pick<Context, "db" | "clock">,
  dataset: number,
): Promise<string> {
  const first = new Date(clock.now() - (historyDays - 1) * 86_400_000);
  const from = first.toISOString().slice(0, 10);
  return await readTestHistory(db, dataset, from) ?? unknown(dataset);
}

/** DataEntityList of a page of a dataset's live tests as JSON text. Throws 404 as above. */
export async function listTests(
  context: Deps,
  dataset: number,
  page: PageQuery,
): Promise<string> {
  const json = await queries.testPage(context.db, dataset, pageWindow(page), staleDays(context));
  return json ?? unknown(dataset);
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
    if (!await queries.setSeverity(tx, dataset, test, severity)) {
      throw notFound(`Test of dataset ${dataset}`, test);
    }
    return await queries.testJson(tx, test, severity, staleDays(context));
  });
}

function unknown(dataset: number): never {
  throw notFound("Dataset", dataset);
}

/** Days of an answer, the current one included. */
const historyDays = 30;

const counted = (condition: string) => `count(*) FILTER (WHERE ${condition})`;

// $1 dataset, $2 the first of the days. Days are those of UTC. What still runs has no result.
const historyStatement = statement<JsonRow>("quality-test-history")`
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
async function readTestHistory(
  db: Queryable,
  id: number,
  from: string,
): Promise<string | undefined> {
  return (await db.query(historyStatement, [id, from]))[0]?.json;
}
