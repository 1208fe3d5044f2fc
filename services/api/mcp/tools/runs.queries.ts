import type { RunStatus } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { shownCharacters } from "#services/api/mcp/limits.ts";
import { start } from "#services/api/mcp/sql.ts";

export interface Run {
  name: string;
  start: string;
  end: string | null;
  status: string;
  reason: string | null;
}

/** A run with the metadata of its source, by name. */
export interface RunWithMetadata extends Run {
  metadata: [name: string, value: string][] | null;
}

export interface Runs {
  /** Of any status. */
  by_status: Record<string, number>;
  items: RunWithMetadata[];
}

const members = `'name', ${start("r.name", shownCharacters.name)},
    'start', iso(r.start_time), 'end', iso(r.end_time), 'status', r.status, 'reason', ${
  start("r.status_reason")
}`;

/** SQL of a run `r` as it is shown. */
export const runJson = `json_build_object(${members})`;
const runWithMetadataJson = `json_build_object(${members}, 'metadata', (
    SELECT json_agg(json_build_array(${start("m.key", shownCharacters.name)}, ${start("m.value")}))
      FROM jsonb_each_text(r.metadata) m))`;
export const lastFirst = "coalesce(r.end_time, r.start_time) DESC, r.catrn DESC";

const wanted =
  "r.task_id = e.id AND ($2::timestamptz IS NULL OR coalesce(r.end_time, r.start_time) >= $2)";
const runs = statement<JsonRow>("mcp-runs")`
  SELECT json_build_object(
      'by_status', (SELECT coalesce(json_object_agg(status, runs), '{}') FROM (
        SELECT r.status, count(*) AS runs FROM task_run r WHERE ${wanted} GROUP BY 1) each),
      'items', (SELECT coalesce(json_agg(${runWithMetadataJson} ORDER BY ${lastFirst}), '[]') FROM (
        SELECT r.* FROM task_run r WHERE ${wanted} AND ($3::text IS NULL OR r.status = $3)
         ORDER BY ${lastFirst} LIMIT $4) r))::text AS json
    FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/** The last runs of a transformer or test, and how many there are; undefined for a hollow entity. */
export async function runsOf(
  db: Queryable,
  id: number,
  filter: { since?: string; status?: RunStatus; limit: number },
): Promise<Runs | undefined> {
  const { since = null, status = null, limit } = filter;
  const [row] = await db.query(runs, [id, since, status, limit]);
  return row && JSON.parse(row.json);
}
