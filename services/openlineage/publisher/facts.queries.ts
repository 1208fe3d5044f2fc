import { type Child, maxChildren } from "../state/hierarchy.ts";
import { maxEarlierRuns } from "../state/job-io.ts";
import { maxNamedTasks, type TaskOutcomes } from "../state/runs.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { aboveJobs } from "../store/dirty.queries.ts";
import type { StoredIo, StoredState } from "../store/tables.queries.ts";

/** $1 keys of jobs. */
export const jobStates = statement<StoredState>("ol-job-states")`
  SELECT key, state FROM ol_job WHERE key = ANY($1::text[])`;

/** $1 keys of datasets. */
export const datasetStates = statement<StoredState>("ol-dataset-states")`
  SELECT key, state FROM ol_dataset WHERE key = ANY($1::text[])`;

/** $1 keys of datasets: the CATRNs under which jobs name them. */
export const datasetCatrns = statement<{ key: string; catrn: string }>("ol-dataset-catrns")`
  SELECT key, catrn FROM ol_dataset WHERE key = ANY($1::text[]) AND catrn IS NOT NULL`;

/** Most unfinished runs of a job, and most that failed since its last COMPLETE, that count. */
export const maxOpenRuns = 100;

const newest = (condition: string, limit: number | string) => `
  (SELECT r.key, r.state FROM ol_run r
    WHERE r.job_key = j.key AND ${condition} ORDER BY r.began DESC, r.key LIMIT ${limit})`;

const counted = `$2 + ${maxEarlierRuns}`;

/**
 * $1 keys of jobs, $2 how many COMPLETE runs are remembered: the runs whose inputs and outputs may count, a few more
 * included.
 */
export const countingRuns = statement<StoredState & { job_key: string }>("ol-counting-runs")`
  SELECT j.key AS job_key, c.key, c.state
    FROM unnest($1::text[]) AS j (key) CROSS JOIN LATERAL (
      ${newest("r.terminal IS NULL", maxOpenRuns)}
      UNION ${newest("r.reopened", maxOpenRuns)}
      UNION ${newest("r.terminal = 'COMPLETE' AND r.has_inputs", counted)}
      UNION ${newest("r.terminal = 'COMPLETE' AND r.has_outputs", counted)}
      UNION ${newest("r.terminal = 'COMPLETE'", counted)}
      UNION ${
  newest(
    `r.terminal IN ('FAIL', 'ABORT') AND r.began >= coalesce((
        SELECT max(d.began) FROM ol_run d
         WHERE d.job_key = j.key AND d.terminal = 'COMPLETE' AND NOT d.reopened), 0)`,
    maxOpenRuns,
  )
}) c`;

/** Maximum number of runs that are read of those that one run started. */
const maxTaskRuns = 10_000;

/** $1 keys of runs: of those that have started others, what came of the last run of each job. */
export const taskOutcomes = statement<TaskOutcomes & { key: string }>("ol-task-outcomes")`
  SELECT p.key, count(*)::int AS count,
         (count(*) FILTER (WHERE t.terminal IS NULL))::int AS running,
         (count(*) FILTER (WHERE t.terminal = 'FAIL'))::int AS failures,
         (count(*) FILTER (WHERE t.terminal = 'ABORT'))::int AS aborted,
         max(t.last_seen) AS "lastAt",
         coalesce((array_agg(t.name ORDER BY t.name) FILTER (WHERE t.terminal = 'FAIL'))[1:${maxNamedTasks}], '{}') AS failed
    FROM unnest($1::text[]) AS p (key) CROSS JOIN LATERAL (
      SELECT DISTINCT ON (r.job_key) r.terminal, r.last_seen, j.name
        FROM (SELECT * FROM ol_run r WHERE r.parent_run = p.key LIMIT ${maxTaskRuns}) r
        JOIN ol_job j ON j.key = r.job_key
       ORDER BY r.job_key, r.began DESC, r.key) t
   GROUP BY p.key`;

/** $1 keys of runs. */
export const ioOfRuns = statement<StoredIo>("ol-io-of-runs")`
  SELECT run_key, side, dataset_key, state FROM ol_run_io WHERE run_key = ANY($1::text[])`;

/** $1 keys of jobs: their newest children. */
export const children = statement<Child & { parent_key: string }>("ol-children")`
  SELECT c.parent_key, c.key, c.last_seen AS seen
    FROM unnest($1::text[]) AS p (key) CROSS JOIN LATERAL (
      SELECT j.parent_key, j.key, j.last_seen FROM ol_job j
       WHERE j.parent_key = p.key AND j.key <> p.key AND j.last_seen IS NOT NULL
       ORDER BY j.last_seen DESC, j.key LIMIT ${maxChildren}) c`;

/** $1 keys of jobs: they and what is above them. */
export const ancestors = statement<StoredState>("ol-ancestors")`
  WITH RECURSIVE ${aboveJobs()}
  SELECT key, state FROM ol_job
   WHERE key IN (SELECT key FROM above) AND parent_key IS NOT NULL`;

/** $1 CATRNs: the ids of their entities. */
export const entityIds = statement<{ catrn: string; id: number }>("ol-entity-ids")`
  SELECT catrn, id FROM data_entity WHERE catrn = ANY($1::text[])`;

/** $1 CATRNs of datasets: their columns that stand in no other, as of their newest structure. */
export const columnCatrns = statement<{ dataset: string; name: string; catrn: string }>(
  "ol-column-catrns",
)`
  SELECT e.catrn AS dataset, f.name, f.catrn
    FROM data_entity e, latest_fields(ARRAY[e.id]) l JOIN dataset_field f ON f.id = l.field_id
   WHERE e.catrn = ANY($1::text[]) AND f.parent_catrn IS NULL`;

/** $1 keys, $2 CATRNs under which jobs name them, $3 how they were found, $4 entities that stand for them, $5 now. */
export const named = statement("ol-datasets-named")`
  UPDATE ol_dataset t SET catrn = n.catrn, match = n.match, posted_catrn = n.posted, resolved_at = $5::bigint
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS n (key, catrn, match, posted)
   WHERE t.key = n.key`;
