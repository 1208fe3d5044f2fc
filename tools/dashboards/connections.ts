import { countOf, type Dashboard, gaugeOf, rateOf, timesOf } from "./panel.ts";

/** Runs of connections, and what they read. */
export const connectionsDashboard: Dashboard = {
  uid: "tributary-connections",
  title: "Tributary: Connections",
  panels: [
    countOf("Runs by state", "tributary_collector_runs_total", "state"),
    timesOf("Duration of runs", "tributary_collector_run_seconds"),
    rateOf("Assets by outcome", "tributary_collector_items_total", "outcome"),
    gaugeOf("Runs in progress", "tributary_collector_running"),
    gaugeOf("Waiting to be published", "tributary_collector_buffered_bytes", { unit: "bytes" }),
  ],
};
