import { countOf, type Dashboard, gaugeOf, panel, rateOf, timesOf } from "./panel.ts";

/** The lineage graph: how far it is, and how quick its answers are. */
export const lineageDashboard: Dashboard = {
  uid: "tributary-lineage",
  title: "Tributary: lineage and projection",
  panels: [
    gaugeOf("Graph behind the metadata, positions", "tributary_projection_lag_positions"),
    gaugeOf("Position of the graph", "tributary_projection_position"),
    gaugeOf("State of the projector", "tributary_projection_state", { labels: "state" }),
    rateOf("Batches written to the graph", "tributary_projection_lots_total"),
    timesOf("Time to write a batch", "tributary_projection_lot_duration_seconds"),
    gaugeOf("Questions that wait for their turn", "tributary_lineage_waiting"),
    countOf("Questions refused", "tributary_lineage_refused_total", "limit"),
    countOf("Questions delayed", "tributary_lineage_delayed_total"),
    panel(
      "Time to answer a question of lineage, 95 %",
      "s",
      "histogram_quantile(0.95, sum by (le, route) " +
        '(rate(tributary_http_request_duration_seconds_bucket{route=~".*lineage.*"}[5m]))) or on() vector(0)',
      "{{route}}",
    ),
    panel(
      "Questions of lineage a second",
      "reqps",
      'sum by (status) (rate(tributary_http_request_duration_seconds_count{route=~".*lineage.*"}[5m])) or on() vector(0)',
      "{{status}}",
    ),
  ],
};
