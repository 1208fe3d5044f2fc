import { own } from "#kit/own.ts";
import { type Facet, objectOf } from "../state/facets.ts";
import { sides } from "../state/model.ts";
import { effectiveIo } from "../state/runs.ts";
import type { RunFacts } from "./facts.ts";
import { instant, type MetricSet } from "./item.ts";
import { statisticsIn } from "./run-metadata.ts";

type Family = MetricSet["metric_families"][number];
type RawObject = Record<string, unknown>;

/** Maximum number of columns of a dataset with stored metrics. */
export const maxColumnsWithMetrics = 1_000;

const ofDataset = [
  ["rowCount", "rows", "Rows that were checked"],
  ["bytes", "bytes", "Bytes that were checked"],
  ["fileCount", "files", "Files that were checked"],
] as const;

const ofColumn = [
  ["nullCount", "nulls", "Values that are null"],
  ["distinctCount", "distinct", "Distinct values"],
  ["count", "count", "Values"],
  ["sum", "sum", "Sum of the values"],
  ["min", "min", "Least value"],
  ["max", "max", "Greatest value"],
] as const;

/**
 * The facet `dataQualityMetrics` of a dataset and of its columns, each as of its event;
 * `fieldOf` knows the CATRN of a column by its path.
 */
export function qualityMetrics(
  catrn: string,
  facet: Facet | undefined,
  fieldOf: (path: string) => string | undefined,
): MetricSet[] {
  if (!facet?.v) return [];
  const at = instant(facet.t);
  const byColumn = objectOf(facet.v.columnMetrics) ?? {};
  const columns = Object.keys(byColumn).sort().slice(0, maxColumnsWithMetrics);
  return [
    setOf(catrn, gauges(facet.v, ofDataset, at)),
    ...columns.map((path) => {
      const given = objectOf(own(byColumn, path));
      const field = fieldOf(path);
      if (!given || field === undefined) return undefined;
      return setOf(field, [...gauges(given, ofColumn, at), ...quantilesOf(given, at)]);
    }),
  ].filter((set) => set !== undefined);
}

/** What a run read and wrote of each dataset, as of its event. */
export function runMetrics({ run, catrnOf }: RunFacts): MetricSet[] {
  return sides.flatMap((side) => {
    const [facet, way, did] = side === "inputs"
      ? ["inputStatistics", "input", "read"]
      : ["outputStatistics", "output", "wrote"];
    return effectiveIo(run, side).flatMap(({ key, facets }) => {
      const statistics = own(facets as Record<string, Facet>, facet);
      if (!statistics) return [];
      const metrics = Object.entries(statisticsIn(facets, facet));
      if (metrics.length === 0) return [];
      const at = instant(statistics.t);
      const families = metrics.map(([unit, value]) =>
        gauge({ name: `openlineage.${way}.${unit}`, unit }, value, {
          at,
          help: `What the last run that reports it ${did}`,
        })
      );
      return [{ catrn: catrnOf(key), metric_families: families }];
    });
  });
}

function setOf(catrn: string, families: Family[]): MetricSet | undefined {
  return families.length === 0 ? undefined : { catrn, metric_families: families };
}

function gauges(
  given: RawObject,
  metrics: readonly (readonly [member: string, unit: string, help: string])[],
  at: string,
): Family[] {
  return metrics.flatMap(([member, unit, help]) => {
    const value = own(given, member);
    if (typeof value !== "number" || !Number.isFinite(value)) return [];
    return [gauge({ name: `openlineage.quality.${unit}`, unit }, value, { at, help })];
  });
}

function gauge(
  { name, unit }: { name: string; unit: string },
  value: number,
  { at, help }: { at: string; help: string },
): Family {
  const metric_points = [{ timestamp: at, gauge_value: { value } }];
  return { name, type: "GAUGE", unit, help, metrics: [{ metric_points }] };
}

function quantilesOf(given: RawObject, at: string): Family[] {
  const byQuantile = objectOf(own(given, "quantiles")) ?? {};
  const quantile = Object.entries(byQuantile).flatMap(([name, value]) => {
    const share = Number(name);
    return Number.isFinite(share) && Number.isFinite(value)
      ? [{ quantile: share, value: value as number }]
      : [];
  });
  if (quantile.length === 0) return [];
  quantile.sort((a, b) => a.quantile - b.quantile);
  const metric_points = [{ timestamp: at, summary_value: { quantile } }];
  const help = "Values below which a share of all lies";
  return [{
    name: "openlineage.quality.quantiles",
    type: "SUMMARY",
    unit: "value",
    help,
    metrics: [{ metric_points }],
  }];
}
