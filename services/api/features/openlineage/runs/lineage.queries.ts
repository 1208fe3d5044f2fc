import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { itemsJson } from "#services/api/list-json.ts";
import { found } from "./queries.ts";

/** Maximum number of datasets of a side that are listed for a run; the total counts all. */
export const maxListed = 200;

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
export async function lineageOfRuns(db: Queryable, runId: string): Promise<string> {
  return (await db.query(list, [runId]))[0]!.json;
}
