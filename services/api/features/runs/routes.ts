import { z } from "@hono/zod-openapi";
import { DataEntityRunList } from "#contract/catalogue/entity.ts";
import { type RunStatus, runStatuses } from "#contract/entities.ts";
import { enumQuery, idParam, type PageQuery, pageQuery, pageWindow } from "#contract/http.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { foundJson, listJson } from "#services/api/list-json.ts";

const runsSpec = operation({
  id: "getRuns",
  method: "get",
  path: "/api/dataentities/{data_entity_id}/runs",
  tag: "dataEntityRun",
  summary: "Runs of a transformer or test, the last to end first",
  access: "signed-in",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  query: z.object({ ...pageQuery, status: enumQuery("status", [...runStatuses]) }),
  responses: { 200: { description: "One page", schema: DataEntityRunList } },
});

/** The operation that reads the runs of an entity. */
export function runRoutes(context: Context): Route[] {
  return [
    serve(runsSpec, ({ params, query }) => listRuns(context, params.data_entity_id, query)),
  ];
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

interface RunsQuestion extends PageQuery {
  status?: RunStatus;
}

/**
 * One page of the runs of a transformer or test, the latest end first; DataEntityRunList as JSON
 * text. Throws 404 for an unknown or hollow entity.
 */
async function listRuns({ db }: Context, id: number, question: RunsQuestion): Promise<string> {
  const { limit, offset } = pageWindow(question);
  const rows = await db.query(runs, [id, question.status ?? null, limit, offset]);
  return foundJson(rows, "Data entity", id);
}
