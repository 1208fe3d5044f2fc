import { countOf, type Dashboard, gaugeOf, panel, rateOf, timesOf } from "./panel.ts";

/** Whether an instance is well, at a glance. */
export const overviewDashboard: Dashboard = {
  uid: "tributary",
  title: "Tributary: overview",
  panels: [
    panel(
      "Workers that are not ready",
      "short",
      "count by (worker) (tributary_worker_ready == 0) or on() vector(0)",
      "{{worker}}",
    ),
    gaugeOf("Workers that exhausted their retries", "tributary_worker_given_up", {
      labels: "worker",
      none: false,
    }),
    rateOf("Requests a second", "tributary_http_request_duration_seconds_count", "status"),
    timesOf("Time to answer", "tributary_http_request_duration_seconds"),
    rateOf(
      "Batches taken in, by state when answered",
      "tributary_ingestion_batches_total",
      "state",
    ),
    countOf("Dead letters", "tributary_ingest_dead_letters_total", "reason"),
    gaugeOf("Graph behind the metadata, positions", "tributary_projection_lag_positions"),
    gaugeOf("Spans not counted yet, records", "tributary_traces_lag_records"),
    countOf("Alerts of entities by what changed", "tributary_ingest_alerts_total", "change"),
    gaugeOf("Announcements that wait", "tributary_notifier_pending_deliveries", {
      labels: "channel",
    }),
    panel(
      "Age of the newest backup",
      "s",
      "time() - max(tributary_backup_last_success_timestamp_seconds)",
      "age",
    ),
    panel("Interval of backups", "s", "max(tributary_backup_interval_seconds)", "interval"),
    panel("Time of the last backup", "s", "max(tributary_backup_duration_seconds)", "time"),
    countOf("Backups that failed", "tributary_backup_failures_total"),
    countOf("Worker crashes", "tributary_worker_crashes_total", "worker"),
    panel(
      "Memory of each process",
      "bytes",
      "max by (instance) (process_resident_memory_bytes)",
      "{{instance}}",
    ),
    panel(
      "Heap of each process",
      "bytes",
      "max by (instance) (process_heap_bytes)",
      "{{instance}}",
    ),
    gaugeOf("Connections to the metadata store", "tributary_metadata_connections", {
      labels: "state",
      none: false,
    }),
    gaugeOf("PostgreSQL refused, since commits are missing", "tributary_metadata_commits_missing"),
    gaugeOf("Kafka refused, since records are missing", "tributary_log_records_missing"),
    countOf("Reads, executed and shared", "tributary_metadata_shared_reads_total", "result"),
    countOf("Aborted threads", "tributary_threads_given_up_total", "pool, reason"),
    gaugeOf("Work that waits for a thread", "tributary_thread_jobs_waiting", { labels: "pool" }),
    countOf("Housekeeping by job and end", "tributary_housekeeping_runs_total", "task, outcome"),
    countOf("Rows that housekeeping removed", "tributary_housekeeping_items_total", "task"),
    timesOf("Time of a run of housekeeping", "tributary_housekeeping_run_seconds"),
    gaugeOf("Sources whose stale entities are on halt", "tributary_stale_sources_held"),
    countOf(
      "Observations dropped, too many series",
      "tributary_metrics_series_dropped_total",
      "metric",
    ),
  ],
};
