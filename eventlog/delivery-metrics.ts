import type { Counter, Metrics } from "#kit/metrics.ts";

/** What consumers of every engine count; labels: `group` and `topic`. */
export function deliveryMetrics(metrics: Metrics): { failed: Counter; done: Counter } {
  const labels = ["group", "topic"];
  return {
    failed: metrics.counter(
      "tributary_log_delivery_failures_total",
      "Deliveries whose handler failed",
      labels,
    ),
    done: metrics.counter(
      "tributary_log_records_done_total",
      "Records that a consumer group has processed",
      labels,
    ),
  };
}
