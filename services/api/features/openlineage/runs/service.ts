import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { segment } from "#platform/naming/openlineage/names.ts";
import { itemsJson } from "#services/api/list-json.ts";

// expression-ok -- fixed lengths
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** UUIDs are stored in lower case. */
const storedId = (runId: string) => uuid.test(runId) ? runId.toLowerCase() : runId;

/** What events reported about the runs of an id (OpenLineageRunList), as JSON text. */
export function findRuns({ db }: Pick<Context, "db">, runId: string): Promise<string> {
  return runsOf(db, storedId(runId));
}

/** What the runs of an id read and wrote (OpenLineageRunLineageList), as JSON text. */
export function findLineage({ db }: Pick<Context, "db">, runId: string): Promise<string> {
  return lineageOfRuns(db, storedId(runId));
}

/** Maximum number of datasets of a side that are listed for a run; the total counts all. */
const maxListed = 200;

const whole = (facet: string, member: string) =>
  `CASE WHEN (state #>> '{facets,${facet},v,${member}}') ~ '^[0-9]{1,18}$'
        THEN (state #>> '{facets,${facet},v,${member}}')::bigint END`;

/** The inputs or outputs of the run `f` that count: those since its last complete snapshot. */
const side = (name: "inputs" | "outputs", statistics: string) => `
  (SELECT json_build_object('total', count(*), 'items', coalesce(json_agg(json_build_object(
      'entity_id', entity_id, 'catrn', catrn, 'namespace', state #>> '{name,namespace}',
      'name', state #>> '{name,name}', 'version', state #>> '{facets,version,v,datasetVersion}',
      'rows', ${whole(statistics, "rowCount")}, 'bytes', ${whole(statistics, "size")},
      'files', ${
  whole(statistics, "fileCount")
}) ORDER BY n) FILTER (WHERE n <= ${maxListed}), '[]'))
     FROM (SELECT e.id AS entity_id, coalesce(d.catrn, i.dataset_key) AS catrn, i.state::jsonb AS state,
                  row_number() OVER (ORDER BY coalesce(d.catrn, i.dataset_key), i.dataset_key) AS n
             FROM ol_run_io i LEFT JOIN ol_dataset d ON d.key = i.dataset_key
             LEFT JOIN data_entity e ON e.catrn = coalesce(d.catrn, i.dataset_key) AND NOT e.hollow
            WHERE i.run_key = f.key AND i.side = '${name}'
              AND i.t >= coalesce((f.state::jsonb ->> 'snapshot')::bigint, 0)) s)`;

/** Maximum number of runs that one id gives: ids that are no UUIDs may be used by several jobs. */
const maxRuns = 100;

/** The runs `found` of the id $1 with their jobs, those of the newest events first. */
const found = `found AS (
    SELECT r.*, j.id AS job_id FROM ol_run r
      LEFT JOIN data_entity j ON j.catrn = r.job_key AND NOT j.hollow
     WHERE r.run_id = $1 ORDER BY r.last_seen DESC, r.key LIMIT ${maxRuns})`;

const at = (ms: string) => `iso(to_timestamp(${ms} / 1000.0))`;

const listStatement = statement<JsonRow>("openlineage-runs")`
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
async function runsOf(db: Queryable, runId: string): Promise<string> {
  return (await db.query(listStatement, [runId, segment(runId)]))[0]!.json;
}

const list = statement<JsonRow>("openlineage-run-lineage")`
  WITH ${found}
  SELECT json_build_object('items', ${
  itemsJson({
    each: `json_build_object(
      'job_entity_id', f.job_id, 'job_catrn', f.job_key, 'state', f.status,
      'inputs', ${side("inputs", "inputStatistics")},
      'outputs', ${side("outputs", "outputStatistics")})`,
    by: "f.last_seen DESC, f.key",
    from: "found f",
  })
})::text AS json`;

/** What the runs of an id read and wrote (OpenLineageRunLineageList), as JSON text. */
async function lineageOfRuns(db: Queryable, runId: string): Promise<string> {
  return (await db.query(list, [runId]))[0]!.json;
}
