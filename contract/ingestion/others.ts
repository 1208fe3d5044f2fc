import { z } from "@hono/zod-openapi";
import { boundedArray, boundedRecord } from "#contract/bounded.ts";
import { entityTypeNames, maxCatrnBytes } from "#contract/entities.ts";
import { DataSetFieldStat } from "./fields.ts";
import {
  maxBuckets,
  maxDataSources,
  maxFields,
  maxMarks,
  maxPoints,
  maxSeries,
  maxStatistics,
  maxTargets,
} from "./limits.ts";
import { Catrn, fitsBytes, IndexedText, Instant, Num } from "./values.ts";

/** Body of `POST /ingestion/entities/datasets/stats`; `fields` is keyed by field CATRN. */
export const DatasetStatisticsList = z.object({
  items: boundedArray(
    z.object({
      dataset_catrn: Catrn,
      fields: boundedRecord(
        z.string().refine((key) => key !== "" && fitsBytes(key, maxCatrnBytes), {
          error: `must be a CATRN of 1 to ${maxCatrnBytes} bytes`,
        }),
        DataSetFieldStat,
        maxFields,
      ),
    }).openapi("DatasetStatistics"),
    maxTargets,
  ).superRefine((items, context) => {
    const fields = items.reduce((sum, item) => sum + Object.keys(item.fields).length, 0);
    if (fields <= maxStatistics) return;
    const message = `must hold at most ${maxStatistics} fields in all`;
    context.addIssue({ code: "custom", message });
  }),
}).openapi("DatasetStatisticsList");
export type DatasetStatisticsList = z.output<typeof DatasetStatisticsList>;

/** Body of `POST /ingestion/datasources`. */
export const IngestedDataSourceList = z.object({
  items: boundedArray(
    z.object({ catrn: Catrn, name: z.string(), description: z.string().optional() })
      .openapi("DataSource"),
    maxDataSources,
  ),
}).openapi("DataSourceList");
export type IngestedDataSourceList = z.output<typeof IngestedDataSourceList>;

export const metricTypes = [
  "UNKNOWN",
  "GAUGE",
  "COUNTER",
  "STATE_SET",
  "INFO",
  "HISTOGRAM",
  "GAUGE_HISTOGRAM",
  "SUMMARY",
] as const;

/** RFC 3339 text, or seconds since the epoch; the output is RFC 3339 text in UTC with milliseconds. */
const PointTime = z.union([
  Instant,
  z.number().min(0).max(253_402_300_799).transform((s) => new Date(s * 1_000).toISOString()),
], { error: "must be an RFC 3339 date-time or seconds since the epoch" })
  .openapi({ type: ["string", "number"], format: "date-time" });

const counted = { sum: Num.optional(), count: Num.optional(), created: PointTime.optional() };

export const MetricPoint = z.object({
  timestamp: PointTime.optional(),
  gauge_value: z.object({ value: Num }).openapi("GaugeValue").optional(),
  counter_value: z.object({ total: Num, created: PointTime.optional() })
    .openapi("CounterValue").optional(),
  histogram_value: z.object({
    ...counted,
    buckets: boundedArray(z.object({ count: Num, upper_bound: Num.optional() }), maxBuckets)
      .optional(),
  }).openapi("HistogramValue").optional(),
  summary_value: z.object({
    ...counted,
    quantile: boundedArray(z.object({ quantile: Num, value: Num }), maxBuckets).optional(),
  }).openapi("SummaryValue").optional(),
}).openapi("MetricPoint");
export type MetricPoint = z.output<typeof MetricPoint>;

const MetricFamily = z.object({
  name: IndexedText.min(1),
  type: z.enum(metricTypes),
  unit: IndexedText,
  help: z.string().optional(),
  metrics: boundedArray(
    z.object({
      labels: boundedArray(z.object({ name: z.string(), value: z.string() }), maxMarks).optional(),
      metric_points: boundedArray(MetricPoint, maxSeries),
    }).openapi("Metric"),
    maxSeries,
  ),
}).openapi("MetricFamily");

function pointsOf(sets: { metric_families: z.output<typeof MetricFamily>[] }[]): number {
  let points = 0;
  for (const { metric_families } of sets) {
    for (const { metrics } of metric_families) {
      for (const { metric_points } of metrics) points += metric_points.length;
    }
  }
  return points;
}

/** Body of `POST /ingestion/metrics`; `catrn` names an entity or a dataset field. */
export const IngestedMetricSetList = z.object({
  items: boundedArray(
    z.object({
      catrn: Catrn,
      metric_families: boundedArray(MetricFamily, maxSeries),
    }).openapi("MetricSet"),
    maxTargets,
  ).superRefine((items, context) => {
    if (pointsOf(items) <= maxPoints) return;
    context.addIssue({ code: "custom", message: `must hold at most ${maxPoints} points in all` });
  }),
}).openapi("MetricSetList");
export type IngestedMetricSetList = z.output<typeof IngestedMetricSetList>;

const compact = { catrn: z.string(), type: z.enum(entityTypeNames) };

/** Answer with the members of a group. */
export const CompactDataEntityList = z.object({
  items: z.array(z.object(compact).openapi("CompactDataEntity")),
}).openapi("CompactDataEntityList");

/** The same answer in the upstream spelling: `oddrn` instead of `catrn`. */
export const AliasedDataEntityList = z.object({
  items: z.array(z.object({ ...compact, oddrn: z.string() }).openapi("AliasedDataEntity")),
}).openapi("AliasedDataEntityList");
