import type { RunStatus } from "#contract/entities.ts";
import type { Queryable } from "#metadata/database.ts";
import { type JsonRow, statement } from "#metadata/statement.ts";

const wanted = "r.task_id = e.id AND ($2::text IS NULL OR r.status = $2)";
const runs = statement<JsonRow>("entity-runs")`
  SELECT json_build_object(
      'items', (SELECT coalesce(json_agg(json_run(r)
                         ORDER BY coalesce(r.end_time, r.start_time) DESC, r.catrn DESC), '[]')
                  FROM (SELECT r.* FROM task_run r WHERE ${wanted}
                         ORDER BY coalesce(r.end_time, r.start_time) DESC, r.catrn DESC
                         LIMIT $3 OFFSET $4) r),
      'page_info', json_build_object('total', t.total,
                                     'hasNext', $3::bigint + $4 < t.total))::text AS json
    FROM data_entity e
    CROSS JOIN LATERAL (SELECT count(*) AS total FROM task_run r WHERE ${wanted}) t
   WHERE e.id = $1 AND NOT e.hollow`;

/** DataEntityRunList of one page as JSON text; undefined for an unknown or hollow entity. */
export async function entityRuns(
  db: Queryable,
  id: number,
  status: RunStatus | undefined,
  page: { limit: number; offset: number },
): Promise<string | undefined> {
  const values = [id, status ?? null, page.limit, page.offset];
  const [row] = await db.query(runs, values);
  return row?.json;
}
