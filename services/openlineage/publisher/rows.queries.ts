import { statement } from "#metadata/postgres/statement.ts";

/** What every row has that is composed. */
export interface ClaimedRow {
  key: string;
  state: string;
  /** How dirty it was when it was taken. */
  dirty: number;
  last_seen: number | null;
  posted_hash: string | null;
  posted_at: number | null;
  received_at: number;
}

/** Seconds for which a claimed row belongs to its claimer. */
export const claimSeconds = 20;

// Each takes rows that nobody else has: $1 now, $2 how many. Those that were taken by somebody who died follow
// once their claim is over.
const isFree = "(claimed_until IS NULL OR claimed_until < now())";

const taken = (table: string) => `
  FROM ${table} WHERE ${isFree}
   AND (dirty > 0 OR due_at <= $1::bigint)
 ORDER BY dirty > 0 DESC, key LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`;

const columns = "key, state, dirty, last_seen, posted_hash, posted_at, received_at";

export const takeJobs = statement<ClaimedRow & { namespace: string; name: string }>("ol-take-jobs")`
  SELECT ${columns}, namespace, name ${taken("ol_job")}`;

export type ClaimedRun = ClaimedRow & {
  job_key: string;
  status: string | null;
  /** What it was posted as. */
  posted_job: string | null;
  tests: string[];
};

export const takeRuns = statement<ClaimedRun>("ol-take-runs")`
  SELECT ${columns}, job_key, status, posted_job, tests ${taken("ol_run")}`;

export type ClaimedDataset = ClaimedRow & {
  namespace: string;
  name: string;
  catrn: string | null;
  posted_catrn: string | null;
};

export const takeDatasets = statement<ClaimedDataset>("ol-take-datasets")`
  SELECT ${columns}, namespace, name, catrn, posted_catrn ${taken("ol_dataset")}`;

const dueIn = (table: string) => `
  (SELECT true FROM ${table} WHERE dirty > 0 AND ${isFree} ORDER BY key LIMIT 1),
  (SELECT true FROM ${table} WHERE due_at <= $1::bigint AND ${isFree} ORDER BY due_at LIMIT 1)`;

/** $1 now: whether a round would find anything, in one statement that reads only indexes of what waits. */
export const anyDue = statement<{ due: boolean }>("ol-any-due")`
  SELECT coalesce(${dueIn("ol_dataset")}, ${dueIn("ol_job")}, ${dueIn("ol_run")},
                  (SELECT true FROM ol_leaving LIMIT 1), false) AS due`;

const settled = (table: string) => `
  UPDATE ${table} t SET dirty = t.dirty - s.dirty, due_at = s.due_at, claimed_until = NULL
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS s (key, dirty, due_at)
   WHERE t.key = s.key`;

// Nothing is to be posted of these: $1 keys, $2 how dirty they were, $3 when to look again. They are still locked.
export const settle = {
  ol_job: statement("ol-settle-jobs")`${settled("ol_job")}`,
  ol_run: statement("ol-settle-runs")`${settled("ol_run")}`,
  ol_dataset: statement("ol-settle-datasets")`${settled("ol_dataset")}`,
};

const claimed = (table: string) => `
  UPDATE ${table} SET received_at = $2::bigint, posted_hash = NULL,
         claimed_until = now() + make_interval(secs => ${claimSeconds})
   WHERE key = ANY($1::text[])`;

// These will be posted as received at $2; until they are, nobody knows what of them the log has.
export const claim = {
  ol_job: statement("ol-claim-jobs")`${claimed("ol_job")}`,
  ol_run: statement("ol-claim-runs")`${claimed("ol_run")}`,
  ol_dataset: statement("ol-claim-datasets")`${claimed("ol_dataset")}`,
};

const posted = (table: string) => `
  UPDATE ${table} t SET dirty = t.dirty - s.dirty, due_at = s.due_at, claimed_until = NULL,
         posted_hash = s.hash, posted_at = $6::bigint
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS s (key, dirty, due_at, hash)
   WHERE t.key = s.key AND t.received_at = $5::bigint`;

// The log has these: $1 keys, $2 how dirty they were, $3 when to look again, $4 hashes, $5 as received at, $6 now.
// A row that was claimed again meanwhile belongs to the new claimer.
export const finish = {
  ol_job: statement("ol-finish-jobs")`${posted("ol_job")}`,
  ol_run: statement("ol-finish-runs")`${posted("ol_run")}`,
  ol_dataset: statement("ol-finish-datasets")`${posted("ol_dataset")}`,
};

/** $1 keys of jobs that are taken, and that are to be posted again whatever was posted of them before. */
export const unpost = statement("ol-unpost-jobs")`
  UPDATE ol_job SET posted_hash = NULL, posted_at = NULL WHERE key = ANY($1::text[])`;

export type Table = keyof typeof finish;

/** How many rows wait to be composed, up to `$1` of each table. */
export const waiting = statement<{ table: Table; rows: number }>("ol-waiting")`
  SELECT 'ol_job' AS table, count(*)::int AS rows FROM (SELECT FROM ol_job WHERE dirty > 0 LIMIT $1) j
  UNION ALL SELECT 'ol_run', count(*)::int FROM (SELECT FROM ol_run WHERE dirty > 0 LIMIT $1) r
  UNION ALL SELECT 'ol_dataset', count(*)::int FROM (SELECT FROM ol_dataset WHERE dirty > 0 LIMIT $1) d`;
