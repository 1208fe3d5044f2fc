import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 keys of runs, $2 their statuses, $3 when they ended: shown over HTTP; $4 jobs and $5 tests,
 * as texts of arrays, that they are posted as.
 */
export const updateRunStatuses = statement("ol-tell-runs")`
  UPDATE ol_run t SET status = r.status, ended_at = r.ended_at, posted_job = r.job, tests = r.tests::text[]
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
      AS r (key, status, ended_at, job, tests)
   WHERE t.key = r.key AND (t.status, t.ended_at, t.posted_job, t.tests)
           IS DISTINCT FROM (r.status, r.ended_at, r.job, r.tests::text[])`;
