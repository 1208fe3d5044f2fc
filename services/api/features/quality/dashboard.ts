import type { DataQualityResults } from "#contract/catalogue/quality.ts";
import { runStatuses } from "#contract/entities.ts";
import type { Context } from "#platform/context.ts";
import {
  type Counted,
  countQuality,
  type DashboardFilter,
} from "#services/api/features/quality/dashboard.queries.ts";

/** Categories of tests, with the words that answers have for them. */
const categories = new Map([
  ["ASSERTION", "Assertion Tests"],
  ["VOLUME_ANOMALY", "Volume Anomalies"],
  ["FRESHNESS_ANOMALY", "Freshness Anomalies"],
  ["COLUMN_VALUES_ANOMALY", "Column Values Anomalies"],
  ["SCHEMA_CHANGE", "Schema Changes"],
]);
const otherwise = "Unknown category";

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

/** Every category with every status, also where there is none of it. */
function resultsOf(runs: Counted["runs"]): DataQualityResults["test_results"] {
  const counts = new Map<string, number>();
  for (const { category, status, count } of runs) {
    const key = `${categories.get(category ?? "") ?? otherwise} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return [...categories.values(), otherwise].map((category) => ({
    category,
    results: runStatuses.map((status) => ({
      status,
      count: counts.get(`${category} ${status}`) ?? 0,
    })),
  }));
}
