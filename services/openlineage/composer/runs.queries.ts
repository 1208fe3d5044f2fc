import { statement } from "#metadata/postgres/statement.ts";

/** $1 keys of runs, $2 what they have come to, $3 when they ended: what is told of them over HTTP. */
export const tellRuns = statement("ol-tell-runs")`
  UPDATE ol_run t SET status = r.status, ended_at = r.ended_at
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS r (key, status, ended_at)
   WHERE t.key = r.key AND (t.status, t.ended_at) IS DISTINCT FROM (r.status, r.ended_at)`;
