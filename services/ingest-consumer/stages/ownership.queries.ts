import { plannedEachTime } from "#metadata/postgres/statement.ts";

/**
 * $1 id of the posting data source, $2 ids, $3 CATRNs: those of these data sources whose entities it may not write. A source
 * with a token or a collector is written by nobody else; two without tokens of their own share those of one collector.
 * `earlier`: registered before the posting one.
 */
export const protectedSources = plannedEachTime("ingest-protected-sources")`
  SELECT s.id, s.catrn, s.id < p.id AS earlier
    FROM data_source p JOIN data_source s ON s.id = ANY($2::bigint[]) OR s.catrn = ANY($3::text[])
   WHERE p.id = $1 AND s.id <> p.id
     AND (p.token_id IS NOT NULL OR p.collector_id IS NOT NULL)
     AND (s.token_id IS NOT NULL OR s.collector_id IS NOT NULL)
     AND NOT (s.token_id IS NULL AND p.token_id IS NULL AND s.collector_id = p.collector_id)`;

/** $1 CATRNs of tasks, $2 CATRNs of runs: the data source of each task, and of the task that each stored run is of. */
export const sourcesOfRuns = plannedEachTime("ingest-sources-of-runs")`
  SELECT 'task' AS kind, catrn, data_source_id AS source_id
    FROM data_entity WHERE catrn = ANY($1::text[]) AND NOT hollow
  UNION ALL
  SELECT 'run', r.catrn, e.data_source_id
    FROM task_run r JOIN data_entity e ON e.id = r.task_id WHERE r.catrn = ANY($2::text[])`;
