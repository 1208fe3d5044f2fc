import type { DataQualityResults } from "#contract/catalogue/quality.ts";
import { type RunStatus, runStatuses } from "#contract/entities.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import {
  countQuality,
  type DashboardCounts,
  type DashboardFilter,
  type TableHealth,
  tableRows,
  testRows,
} from "#services/api/features/quality/dashboard.queries.ts";
import { staleDays } from "#services/api/stale.ts";

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
  const chosen = category === undefined
    ? undefined
    : { names: names.map(([key]) => key), others: category === otherwise };
  return testRows(context.db, filter, {
    status,
    categories: chosen,
    page: pageWindow(page),
    staleDays: staleDays(context),
  });
}

/** One page of the datasets that the dashboard counts; DataEntityList as JSON text. */
export function listCountedTables(
  context: Deps,
  filter: DashboardFilter,
  { health, ...page }: PageQuery & { health?: TableHealth },
): Promise<string> {
  const window = { page: pageWindow(page), staleDays: staleDays(context) };
  return tableRows(context.db, filter, { health, ...window });
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
