import { countOf, type Dashboard, gaugeOf, rateOf, timesOf } from "./panel.ts";

/** The way of a batch into the catalogue. */
export const ingestionDashboard: Dashboard = {
  uid: "tributary-ingestion",
  title: "Tributary: ingestion",
  panels: [
    rateOf(
      "Batches taken in, by state when answered",
      "tributary_ingestion_batches_total",
      "state",
    ),
    gaugeOf("Batches waited for", "tributary_ingestion_waiters"),
    rateOf(
      "Records of batches by where they were read",
      "tributary_ingest_records_read_total",
      "where",
    ),
    gaugeOf(
      "Bytes of parsed batches, cached for the consumer",
      "tributary_ingestion_read_parts_bytes",
      {
        unit: "bytes",
      },
    ),
    gaugeOf(
      "Bytes appended to the embedded log, cached for its consumers here",
      "tributary_log_own_values_bytes",
      { unit: "bytes" },
    ),
    rateOf("Parts of batches by outcome", "tributary_ingest_parts_total", "outcome"),
    timesOf("Time to apply a part", "tributary_ingest_part_duration_seconds"),
    rateOf("Items by what they meant", "tributary_ingest_items_total", "result"),
    countOf("Items refused", "tributary_ingestion_refused_total"),
    countOf("Items whose type does not match their sections", "tributary_ingest_misfits_total"),
    countOf("Dead letters", "tributary_ingest_dead_letters_total", "reason"),
    countOf(
      "Records that do not fit a dead letter",
      "tributary_dead_letters_skipped_total",
      "topic",
    ),
    countOf("Rejections that could not be stored", "tributary_ingest_refusals_skipped_total"),
    rateOf(
      "Records that consumer groups are done with",
      "tributary_log_records_done_total",
      "group",
    ),
    countOf("Deliveries that failed", "tributary_log_delivery_failures_total", "group"),
    gaugeOf("Bytes that wait for the event log", "tributary_log_publish_waiting_bytes", {
      unit: "bytes",
    }),
    rateOf("SQL that column lineage was read from", "tributary_sql_lineage_read_total"),
    countOf(
      "SQL without column lineage, by reason",
      "tributary_sql_lineage_refused_total",
      "reason",
    ),
    countOf(
      "Column edges read from SQL that no structure has",
      "tributary_sql_lineage_dropped_edges_total",
    ),
    gaugeOf("Changed entities whose SQL is to be checked", "tributary_sql_lineage_waiting"),
    countOf("Alerts of entities by what changed", "tributary_ingest_alerts_total", "change"),
    countOf("Alerts about data sources", "tributary_source_alerts_total", "outcome"),
    countOf("Alerts of alert routers", "tributary_alerts_routed_total", "outcome"),
    countOf("Search documents refreshed in the background", "tributary_search_refreshed_total"),
    gaugeOf("Search documents cut", "tributary_search_documents_cut"),
  ],
};
