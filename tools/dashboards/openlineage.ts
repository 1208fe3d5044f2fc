import { countOf, type Dashboard, gaugeOf, rateOf, timesOf } from "./panel.ts";

/** The way of OpenLineage events into the event log. */
export const openlineageDashboard: Dashboard = {
  uid: "tributary-openlineage",
  title: "Tributary: OpenLineage",
  panels: [
    rateOf("Events by what became of them", "tributary_openlineage_events_total", "outcome"),
    rateOf("Events by subject", "tributary_openlineage_events_total", "kind"),
    rateOf("Events by how they came", "tributary_openlineage_events_total", "via"),
    countOf("Parts left out, by reason", "tributary_openlineage_dropped_parts_total", "reason"),
    timesOf("Time until events are in the event log", "tributary_openlineage_publish_seconds"),
    countOf("Dropped intake warnings", "tributary_openlineage_complaints_lost_total"),
    rateOf("Events merged", "tributary_openlineage_events_merged_total"),
    gaugeOf("Age of the last event when it was merged", "tributary_openlineage_lag_seconds", {
      unit: "s",
    }),
    gaugeOf("What waits to be composed", "tributary_openlineage_dirty", { labels: "table" }),
    rateOf("Put into batches", "tributary_openlineage_posted_total", "table"),
    rateOf(
      "Names of datasets, by how they were found",
      "tributary_openlineage_resolve_total",
      "match",
    ),
    countOf("Records that are no events", "tributary_openlineage_records_refused_total"),
    countOf("Rounds that were broken off", "tributary_openlineage_compose_failures_total", "cause"),
  ],
};
