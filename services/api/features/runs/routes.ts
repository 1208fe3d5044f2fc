import { z } from "@hono/zod-openapi";
import { DataEntityRunList } from "#contract/catalogue/entity.ts";
import { type RunStatus, runStatuses } from "#contract/entities.ts";
import {
  enumQuery,
  idParam,
  type PageQuery,
  pageQuery,
  type PageWindow,
  pageWindow,
} from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { okJson, operation, type Route, serve } from "#platform/operations/declare.ts";
import { listJson } from "#services/api/list-json.ts";

const spec = operation({
  id: "getRuns",
  method: "get",
  path: "/api/dataentities/{data_entity_id}/runs",
  tag: "dataEntityRun",
  document: "platform",
  summary: "Runs of a transformer or test, the last to end first",
  access: "signed-in",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ ...pageQuery, status: enumQuery("status", [...runStatuses]) }),
  responses: { 200: { description: "One page", schema: DataEntityRunList } },
  errors: [404],
});

/** The operation that reads the runs of an entity. */
export function runRoutes(context: Context): Route[] {
  return [
    serve(
      spec,
      async ({ params, query }) => okJson(await listRuns(context, params.data_entity_id, query)),
    ),
  ];
}

interface RunsQuestion extends PageQuery {
  status?: RunStatus;
}

/**
 * One page of the runs of a transformer or test, the latest end first; DataEntityRunList as JSON
 * text. Throws 404 for an unknown or hollow entity.
 */
async function listRuns(context: Context, id: number, question: RunsQuestion) {
  const json = await entityRuns(context.db, id, question.status, pageWindow(question));
  if (json === undefined) throw notFound("Data entity", id);
  return json;
}

const wanted = "r.task_id = e.id AND ($2::text IS NULL OR r.status = $2)";
const latestFirst = "coalesce(r.end_time, r.start_time) DESC, r.catrn DESC";
const runs = statement<JsonRow>("entity-runs")`
  SELECT ${
  listJson({
    each: "json_run(r)",
    by: latestFirst,
    from: `(SELECT r.* FROM task_run r WHERE ${wanted}
             ORDER BY ${latestFirst} LIMIT $3 OFFSET $4) r`,
    total: "t.total",
    window: ["$3", "$4"],
  })
}::text AS json
    FROM data_entity e
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM task_run r WHERE ${wanted}) t
   WHERE e.id = $1 AND NOT e.hollow`;

/** DataEntityRunList of one page as JSON text; undefined for an unknown or hollow entity. */
async function entityRuns(
  db: Queryable,
  id: number,
  status: RunStatus | undefined,
  page: PageWindow,
): Promise<string | undefined> {
  const values = [id, status ?? null, page.limit, page.offset];
  const [row] = await db.query(runs, values);
  return row?.json;
}
