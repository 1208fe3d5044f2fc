import type { RunStatus } from "#contract/entities.ts";
import type { PageWindow } from "#contract/http.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listJson } from "#services/api/list-json.ts";

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
export async function entityRuns(
  db: Queryable,
  id: number,
  status: RunStatus | undefined,
  page: PageWindow,
): Promise<string | undefined> {
  const values = [id, status ?? null, page.limit, page.offset];
  const [row] = await db.query(runs, values);
  return row?.json;
}
