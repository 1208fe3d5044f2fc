import type { DataQualityResults } from "#contract/catalogue/quality.ts";
import { type RunStatus, runStatuses } from "#contract/entities.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { staleDays } from "#services/api/stale.ts";
import { entityFacets } from "#services/api/features/search/service.ts";
import { listOfFound } from "#services/api/list-json.ts";
import { Parameters } from "#services/api/search/family.ts";

/** Categories of tests, with the words that answers have for them. */
const categories = new Map([
  ["ASSERTION", "Assertion Tests"],
  ["VOLUME_ANOMALY", "Volume Anomalies"],
  ["FRESHNESS_ANOMALY", "Freshness Anomalies"],
  ["COLUMN_VALUES_ANOMALY", "Column Values Anomalies"],
  ["SCHEMA_CHANGE", "Schema Changes"],
]);
const otherwise = "Unknown category";
/** What answers call the categories. */
export const categoryNames = [...categories.values(), otherwise] as unknown as [
  string,
  ...string[],
];

/** How tests went, and how healthy what they test is. */
export async function qualityDashboard(
  { db }: Pick<Context, "db">,
  filter: DashboardFilter,
): Promise<DataQualityResults> {
  const counted = await countQuality(db, filter);
  return {
    test_results: resultsOf(counted.runs),
    tables_dashboard: {
      tables_health: {
        healthy_tables: counted.healthy,
        error_tables: counted.error,
        warning_tables: counted.warning,
        unknown_tables: counted.unknown,
      },
      monitored_tables: {
        monitored_tables: counted.monitored,
        not_monitored_tables: counted.not_monitored,
      },
    },
  };
}

type Deps = Pick<Context, "db" | "config">;

/** One page of the tests that the dashboard counts; DataEntityList as JSON text. */
export function listCountedTests(
  context: Deps,
  filter: DashboardFilter,
  { category, status, ...page }: PageQuery & { category?: string; status?: RunStatus },
): Promise<string> {
  const names = [...categories].filter(([, name]) => category === otherwise || name === category);
  const p = new Parameters();
  const parts = [counted(filter)];
  if (status) parts.push(`latest = ${p.bind(status)}`);
  if (category) {
    const keys = names.map(([key]) => key);
    const known = `coalesce(category = ANY(${p.bind(keys)}::text[]), false)`;
    parts.push(category === otherwise ? `NOT ${known}` : known);
  }
  return listOf(context, page, filter, p, `SELECT id FROM test WHERE ${parts.join(" AND ")}`);
}

/** One page of the datasets that the dashboard counts; DataEntityList as JSON text. */
export function listCountedTables(
  context: Deps,
  filter: DashboardFilter,
  { health, ...page }: PageQuery & { health?: TableHealth },
): Promise<string> {
  const p = new Parameters();
  const found = health === undefined
    ? "SELECT id FROM dataset"
    : health === "NOT_MONITORED"
    ? "SELECT id FROM dataset WHERE id NOT IN (SELECT dataset_id FROM health)"
    : `SELECT dataset_id AS id FROM health WHERE health = ${p.bind(health.toLowerCase())}`;
  return listOf(context, page, filter, p, found);
}

/** Every category with every status, including zero counts. */
function resultsOf(runs: DashboardCounts["runs"]): DataQualityResults["test_results"] {
  const counts = new Map<string, number>();
  for (const { category, status, count } of runs) {
    const key = `${categories.get(category ?? "") ?? otherwise} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return categoryNames.map((category) => ({
    category,
    results: runStatuses.map((status) => ({
      status,
      count: counts.get(`${category} ${status}`) ?? 0,
    })),
  }));
}

/** Conditions on entities; an empty list does not restrict. An ownership must hold both of its own. */
interface EntityFilter {
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
interface DashboardCounts {
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
async function countQuality(
  db: Queryable,
  filter: DashboardFilter,
): Promise<DashboardCounts> {
  const p = new Parameters();
  const statement = `
    WITH ${basis(filter, p)},
    run AS (
      SELECT category, latest AS status, count(*) AS count FROM test
       WHERE ${counted(filter)} GROUP BY 1, 2)
    SELECT (SELECT coalesce(json_agg(run), '[]') FROM run) AS runs,
           count(*) FILTER (WHERE health = 'healthy') AS healthy,
           count(*) FILTER (WHERE health = 'error') AS error,
           count(*) FILTER (WHERE health = 'warning') AS warning,
           count(*) FILTER (WHERE health = 'unknown') AS unknown,
           count(*) AS monitored,
           (SELECT count(*) FROM dataset) - count(*) AS not_monitored
      FROM health`;
  return (await db.query<DashboardCounts & Record<string, unknown>>(statement, p.values))[0]!;
}

/** `test`, `dataset`, which of these test which of those (`tested`), and the `health` of the tested ones. */
function basis({ tests, datasets }: DashboardFilter, p: Parameters): string {
  return `
    test AS MATERIALIZED (
      SELECT e.id, e.attributes #>> '{data_quality_test,expectation,category}' AS category,
             o.latest, o.finished
        FROM data_entity e LEFT JOIN LATERAL test_outcome(e.id) o ON true
       WHERE ${conditions(4, tests, p)}),
    dataset AS MATERIALIZED (SELECT e.id FROM data_entity e WHERE ${conditions(1, datasets, p)}),
    tested AS MATERIALIZED (
      SELECT d.dataset_id, d.test_id, t.finished FROM test_dataset d
        JOIN test t ON t.id = d.test_id JOIN dataset s ON s.id = d.dataset_id),
    health AS MATERIALIZED (
      SELECT dataset_id,
             CASE WHEN bool_or(finished = 'FAILED') THEN 'error'
                  WHEN bool_or(finished = 'BROKEN') THEN 'warning'
                  WHEN count(finished) = 0 OR bool_or(finished = 'UNKNOWN') THEN 'unknown'
                  ELSE 'healthy' END AS health
        FROM tested GROUP BY dataset_id)`;
}

/** SQL condition for the rows of `test` that count: those that ran, on one of the datasets if filtered. */
function counted({ datasets }: DashboardFilter): string {
  const narrowed = Object.values(datasets).some((ids) => ids.length > 0);
  return `latest IS NOT NULL ${narrowed ? "AND id IN (SELECT test_id FROM tested)" : ""}`;
}

export const tableHealths = ["HEALTHY", "ERROR", "WARNING", "UNKNOWN", "NOT_MONITORED"] as const;
type TableHealth = (typeof tableHealths)[number];

/** DataEntityList of a page of what `found` selects from the counted tests or datasets, by id, as JSON text. */
async function listOf(
  context: Deps,
  query: PageQuery,
  filter: DashboardFilter,
  p: Parameters,
  found: string,
): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const stale = p.bind(staleDays(context));
  const each =
    `(SELECT json_data_entity(e, ${stale}::int) FROM data_entity e WHERE e.id = page.id)`;
  const list = listOfFound({ each, by: "id", window: [p.bind(limit), p.bind(offset)] });
  const statement = `WITH ${basis(filter, p)}, found AS (${found}) ${list}`;
  return (await context.db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** SQL of what holds for entities `e` of a class that are shown and fulfil the filter. */
function conditions(entityClass: number, filter: EntityFilter, p: Parameters): string {
  const { namespaces, dataSources, owners, titles, tags } = filter;
  const parts: [number[], (ids: string) => string][] = [
    [namespaces, entityFacets.namespaces.holds],
    [dataSources, entityFacets.datasources.holds],
    [tags, entityFacets.tags.holds],
  ];
  const all = [`e.class_ids @> '{${entityClass}}' AND NOT e.hollow AND is_live(e.status)`];
  for (const [ids, holds] of parts) if (ids.length > 0) all.push(`(${holds(p.bind(ids))})`);
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
