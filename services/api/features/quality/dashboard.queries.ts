import type { RunStatus } from "#contract/entities.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { facets } from "#services/api/features/search/service.ts";
import { Parameters } from "#services/api/search/parameters.ts";

/** Conditions on entities; an empty list does not restrict. An ownership must hold both of its own. */
export interface EntityFilter {
  namespaces: number[];
  dataSources: number[];
  owners: number[];
  titles: number[];
  tags: number[];
}

/** What the dashboard counts: tests, and the datasets that they test. */
export interface DashboardFilter {
  tests: EntityFilter;
  datasets: EntityFilter;
}

/** What was counted. */
export interface Counted {
  /** Tests by category and by the status of their latest run. */
  runs: { category: string | null; status: RunStatus; count: number }[];
  healthy: number;
  error: number;
  warning: number;
  unknown: number;
  monitored: number;
  not_monitored: number;
}

/** Counts by one statement, composed of the conditions that are given. */
export async function countQuality(
  db: Queryable,
  { tests, datasets }: DashboardFilter,
): Promise<Counted> {
  const p = new Parameters();
  const narrowed = Object.values(datasets).some((ids) => ids.length > 0);
  const statement = `
    WITH test AS MATERIALIZED (
      SELECT e.id, e.attributes #>> '{data_quality_test,expectation,category}' AS category,
             o.latest, o.finished
        FROM data_entity e LEFT JOIN LATERAL test_outcome(e.id) o ON true
       WHERE ${conditions(4, tests, p)}),
    dataset AS MATERIALIZED (SELECT e.id FROM data_entity e WHERE ${conditions(1, datasets, p)}),
    tested AS MATERIALIZED (
      SELECT d.dataset_id, d.test_id, t.finished FROM test_dataset d
        JOIN test t ON t.id = d.test_id JOIN dataset s ON s.id = d.dataset_id),
    health AS MATERIALIZED (
      SELECT CASE WHEN bool_or(finished = 'FAILED') THEN 'error'
                  WHEN bool_or(finished = 'BROKEN') THEN 'warning'
                  WHEN count(finished) = 0 OR bool_or(finished = 'UNKNOWN') THEN 'unknown'
                  ELSE 'healthy' END AS health
        FROM tested GROUP BY dataset_id),
    run AS (
      SELECT category, latest AS status, count(*) AS count FROM test
       WHERE latest IS NOT NULL ${narrowed ? "AND id IN (SELECT test_id FROM tested)" : ""}
       GROUP BY 1, 2)
    SELECT (SELECT coalesce(json_agg(run), '[]') FROM run) AS runs,
           count(*) FILTER (WHERE health = 'healthy') AS healthy,
           count(*) FILTER (WHERE health = 'error') AS error,
           count(*) FILTER (WHERE health = 'warning') AS warning,
           count(*) FILTER (WHERE health = 'unknown') AS unknown,
           count(*) AS monitored,
           (SELECT count(*) FROM dataset) - count(*) AS not_monitored
      FROM health`;
  return (await db.query<Counted & Record<string, unknown>>(statement, p.values))[0]!;
}

/** SQL of what holds for entities `e` of a class that are shown and fulfil the filter. */
function conditions(entityClass: number, filter: EntityFilter, p: Parameters): string {
  const { namespaces, dataSources, owners, titles, tags } = filter;
  const held: [number[], (ids: string) => string][] = [
    [namespaces, facets.namespaces.holds],
    [dataSources, facets.datasources.holds],
    [tags, facets.tags.holds],
  ];
  const all = [`e.class_ids @> '{${entityClass}}' AND NOT e.hollow AND is_live(e.status)`];
  for (const [ids, holds] of held) if (ids.length > 0) all.push(`(${holds(p.bind(ids))})`);
  if (owners.length > 0 || titles.length > 0) all.push(owned(owners, titles, p));
  return all.join(" AND ");
}

function owned(owners: number[], titles: number[], p: Parameters): string {
  const by = [
    ...(owners.length > 0 ? [`x.owner_id = ANY(${p.bind(owners)}::bigint[])`] : []),
    ...(titles.length > 0 ? [`x.title_id = ANY(${p.bind(titles)}::bigint[])`] : []),
  ];
  return `e.id IN (SELECT x.entity_id FROM ownership x WHERE ${by.join(" AND ")})`;
}
