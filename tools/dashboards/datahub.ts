import { countOf, type Dashboard, gaugeOf, rateOf } from "./panel.ts";

/** The way of what collectors of DataHub send into the catalogue. */
export const datahubDashboard: Dashboard = {
  uid: "tributary-datahub",
  title: "Tributary: DataHub",
  panels: [
    rateOf("Aspects by outcome", "tributary_datahub_aspects_total", "outcome"),
    gaugeOf("Entities that wait to be published", "tributary_datahub_dirty"),
    rateOf("Entities put into batches", "tributary_datahub_posted_total"),
    countOf("Rounds that were broken off", "tributary_datahub_publish_failures_total", "cause"),
  ],
};
