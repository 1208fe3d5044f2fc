import { z } from "@hono/zod-openapi";
import { asGiven, Int, optional } from "#contract/catalogue/common.ts";
import { Timestamp } from "#contract/http.ts";
import { metricTypes } from "#contract/ingestion/others.ts";

export const MetricType = z.enum(metricTypes).openapi("MetricType");

const counted = {
  sum: optional(z.number()),
  count: optional(z.number()),
  created: optional(Timestamp),
};
export const GaugeValue = z.object({ value: z.number() }).openapi("GaugeValue");
export const CounterValue = asGiven(
  z.object({ total: z.number(), created: optional(Timestamp) })
    .openapi("CounterValue"),
);
export const HistogramValue = asGiven(
  z.object({
    ...counted,
    buckets: optional(
      z.array(z.object({ count: z.number(), upper_bound: optional(z.number()) })),
    ),
  }).openapi("HistogramValue"),
);
export const SummaryValue = asGiven(
  z.object({
    ...counted,
    quantile: optional(z.array(z.object({ quantile: z.number(), value: z.number() }))),
  }).openapi("SummaryValue"),
);

/** Only the value that fits the type of the family is given; the others are null. */
export const MetricPoint = z.object({
  timestamp: optional(Timestamp),
  gauge_value: optional(GaugeValue),
  counter_value: optional(CounterValue),
  histogram_value: optional(HistogramValue),
  summary_value: optional(SummaryValue),
}).openapi("MetricPoint");
export const MetricLabel = z.object({ name: z.string(), value: z.string() })
  .openapi("MetricLabel");
/** The latest point of one series. */
export const Metric = z.object({
  labels: optional(z.array(MetricLabel)),
  metric_point: MetricPoint,
}).openapi("Metric");
export const MetricFamily = z.object({
  id: optional(Int),
  name: z.string(),
  type: MetricType,
  unit: z.string(),
  description: optional(z.string()),
  metrics: z.array(Metric),
}).openapi("MetricFamily");
export const MetricSet = z.object({ metric_families: z.array(MetricFamily) })
  .openapi("MetricSet");
