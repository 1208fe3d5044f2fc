import { maxAncestors } from "../state/hierarchy.ts";
import type { AliasLink } from "../state/aliases.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Maximum number of names that are followed from one name; groups hold no more than 50. */
export const maxClosure = 500;

/** Maximum number of runs of a job that are mapped again when it turns out not to end. */
const maxRemappedRuns = 1_000;

/** Locks rows in the order of their keys, and marks them to be mapped again. */
const marked = (table: string, condition: string) => `
  locked AS (SELECT key FROM ${table} WHERE ${condition} ORDER BY key FOR NO KEY UPDATE)
  UPDATE ${table} SET dirty = dirty + 1 WHERE key IN (SELECT key FROM locked)`;

/** $1 keys of jobs: they and, while the condition holds, those above them. */
export const aboveJobs = (condition = "true") => `
  above AS (
    SELECT k COLLATE "C" AS key, 0 AS steps FROM unnest($1::text[]) AS k
    UNION
    SELECT j.parent_key, a.steps + 1 FROM above a JOIN ol_job j ON j.key = a.key
     WHERE ${condition} AND j.parent_key IS NOT NULL AND a.steps < ${maxAncestors})`;

/** $1 keys of jobs, and of those above them when `$2`. */
export const dirtyJobs = statement("ol-dirty-jobs")`
  WITH RECURSIVE ${aboveJobs("$2::boolean")}, ${
  marked("ol_job", "key IN (SELECT key FROM above)")
}`;

/** $1 keys of jobs whose runs are mapped again. */
export const dirtyRunsOf = statement("ol-dirty-runs-of")`
  WITH newest AS (
    SELECT n.key FROM unnest($1::text[]) AS j (key) CROSS JOIN LATERAL (
      SELECT r.key FROM ol_run r WHERE r.job_key = j.key ORDER BY r.began DESC LIMIT ${maxRemappedRuns}) n),
  ${marked("ol_run", "key IN (SELECT key FROM newest)")}`;

/** $1 keys of runs that started others: those that sent no events themselves, whose status follows from the others. */
export const dirtyStarters = statement("ol-dirty-starters")`
  WITH ${marked("ol_run", "key = ANY($1::text[]) AND events = 0 AND terminal IS NULL")}`;

/** Every dataset that some chain of statements connects with those of $1. */
const connected = `
  WITH RECURSIVE near AS (
    SELECT k COLLATE "C" AS key FROM unnest($1::text[]) AS k
    UNION
    SELECT CASE WHEN l.from_key = n.key THEN l.to_key ELSE l.from_key END
      FROM near n JOIN ol_alias_link l ON l.from_key = n.key OR l.to_key = n.key),
  found AS (SELECT key FROM near LIMIT ${maxClosure} * cardinality($1::text[]))`;

/** $1 keys of datasets. */
export const dirtyConnected = statement("ol-dirty-connected")`
  ${connected}, ${marked("ol_dataset", "key IN (SELECT key FROM found)")}`;

interface LinkRow {
  from_key: string;
  to_key: string;
  kind: AliasLink["kind"];
  t: number;
  h: string;
}

/** $1 keys of datasets: every statement about those connected with them. */
export const connectedLinks = statement<LinkRow>("ol-connected-links")`
  ${connected}
  SELECT DISTINCT l.from_key, l.to_key, l.kind, l.t, l.h
    FROM ol_alias_link l
   WHERE l.from_key IN (SELECT key FROM found) OR l.to_key IN (SELECT key FROM found)`;

/** Maximum number of runs, the newest, that are mapped again when a dataset is renamed. */
const maxRunsNaming = 1_000;

/** $1 keys of datasets: the jobs that touch them. */
export const dirtyTouching = statement("ol-dirty-touching")`
  WITH jobs AS (
    SELECT DISTINCT r.job_key AS key
      FROM ol_run_io i JOIN ol_run r ON r.key = i.run_key WHERE i.dataset_key = ANY($1::text[])
    UNION SELECT j.key FROM ol_job j WHERE j.declares <> '{}' AND j.declares && $1::text[]),
  ${marked("ol_job", "key IN (SELECT key FROM jobs)")}`;

/** $1 keys of datasets: the runs whose tests or texts name them. */
export const dirtyNaming = statement("ol-dirty-naming")`
  WITH naming AS (
    SELECT i.run_key FROM ol_run_io i JOIN ol_run r ON r.key = i.run_key
     WHERE i.dataset_key = ANY($1::text[])
       AND (r.tests <> '{}' OR i.state ~
         '"(dataQualityAssertions|datasetVersion|inputStatistics|outputStatistics)"')
     ORDER BY i.t DESC LIMIT ${maxRunsNaming}),
  ${marked("ol_run", "key IN (SELECT run_key FROM naming)")}`;
