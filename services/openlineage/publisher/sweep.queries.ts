import { statement } from "#metadata/postgres/statement.ts";

/** $1 when those were last looked for that are looked for now, $2 limit. */
export const markForRecheck = statement("ol-look-again")`
  UPDATE ol_dataset SET dirty = dirty + 1, resolved_at = NULL WHERE key IN (
    SELECT key FROM ol_dataset WHERE match <> 'exact' AND resolved_at < $1::bigint
     ORDER BY resolved_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)`;

const counted = (table: string, condition: string) => `
  WITH gone AS (
    DELETE FROM ${table} WHERE key IN (
      SELECT key FROM ${table} t WHERE t.last_seen < $1::bigint AND t.dirty = 0 AND ${condition}
       ORDER BY t.last_seen LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

/** $1 before when they were last seen, $2 limit, $3 how many COMPLETE ones of a job stay. */
export const forgetRuns = statement<{ count: number }>("ol-forget-runs")`${
  counted(
    "ol_run",
    `NOT (t.terminal IS NOT DISTINCT FROM 'COMPLETE' AND t.key IN (
        SELECT k.key FROM ol_run k WHERE k.job_key = t.job_key AND k.terminal = 'COMPLETE'
         ORDER BY k.began DESC, k.key LIMIT $3))`,
  )
}`;

const unheld = (table: string) => `
  NOT EXISTS (SELECT FROM data_entity e WHERE e.catrn = ${table} AND NOT e.hollow)`;

/** $1 before when they were last seen, $2 limit. */
export const forgetJobs = statement<{ count: number }>("ol-forget-jobs")`${
  counted(
    "ol_job",
    `${unheld("t.key")} AND NOT EXISTS (SELECT FROM ol_run r WHERE r.job_key = t.key)`,
  )
}`;

/** As `forgetJobs`. */
export const forgetDatasets = statement<{ count: number }>("ol-forget-datasets")`${
  counted(
    "ol_dataset",
    `${unheld("coalesce(t.catrn, t.key)")}
      AND NOT EXISTS (SELECT FROM ol_run_io i WHERE i.dataset_key = t.key)
      AND NOT EXISTS (SELECT FROM ol_alias_link l WHERE l.from_key = t.key OR l.to_key = t.key)`,
  )
}`;
