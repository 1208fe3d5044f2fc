import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { segment } from "#platform/naming/openlineage/names.ts";
import { itemsJson } from "#services/api/list-json.ts";

/** Maximum number of runs that one id gives: ids that are no UUIDs may be used by several jobs. */
export const maxRuns = 100;

/** The runs `found` of the id $1 with their jobs, those of the newest events first. */
export const found = `found AS (
    SELECT r.*, j.id AS job_id FROM ol_run r
      LEFT JOIN data_entity j ON j.catrn = r.job_key AND NOT j.hollow
     WHERE r.run_id = $1 ORDER BY r.last_seen DESC, r.key LIMIT ${maxRuns})`;

const at = (ms: string) => `iso(to_timestamp(${ms} / 1000.0))`;

const list = statement<JsonRow>("openlineage-runs")`
  WITH ${found}
  SELECT json_build_object('items', ${
  itemsJson({
    each: `json_build_object(
      'entity_id', (SELECT t.id FROM task_run t WHERE t.catrn = f.job_key || '/runs/' || $2),
      'job_entity_id', f.job_id, 'job_catrn', f.job_key, 'state', f.status,
      'started_at', ${at("f.began")}, 'ended_at', ${at("f.ended_at")}, 'events', f.events,
      'last_event_at', ${at("f.last_seen")})`,
    by: "f.last_seen DESC, f.key",
    from: "found f",
  })
})::text AS json`;

/** `{items}`, those of the newest events first, as JSON text. */
export async function runsOf(db: Queryable, runId: string): Promise<string> {
  return (await db.query(list, [runId, segment(runId)]))[0]!.json;
}
