import { countOf, type Dashboard, gaugeOf, rateOf } from "./panel.ts";

/** From spans to services in the catalogue. */
export const tracesDashboard: Dashboard = {
  uid: "tributary-traces",
  title: "Tributary: traces",
  panels: [
    rateOf("Requests of exporters", "tributary_traces_requests_total", "protocol, outcome"),
    rateOf("Spans taken", "tributary_traces_spans_accepted_total"),
    rateOf("Spans refused", "tributary_traces_spans_refused_total", "reason"),
    gaugeOf("Bytes in flight", "tributary_traces_in_flight_bytes", { unit: "bytes" }),
    gaugeOf("Requests that wait to be read", "tributary_traces_decode_waiting"),
    gaugeOf("Records that are not counted yet", "tributary_traces_lag_records"),
    rateOf("Facts by what became of them", "tributary_traces_facts_total", "outcome"),
    gaugeOf("Spans that wait for another", "tributary_traces_waiting", { labels: "partition" }),
    gaugeOf("Time of the stream", "tributary_traces_stream_time_seconds * 1000", {
      labels: "partition",
      unit: "dateTimeAsIso",
    }),
    countOf("Too much at once, left out", "tributary_traces_overflow_total", "what"),
    countOf("Records refused", "tributary_traces_records_refused_total", "reason"),
    countOf("Records passed over", "tributary_traces_records_skipped_total"),
    rateOf("Edges merged", "tributary_traces_edges_merged_total"),
    countOf("Edges refused", "tributary_traces_edges_refused_total"),
    countOf("Edges that went", "tributary_traces_edges_expired_total"),
    gaugeOf("State of the publisher", "tributary_traces_publisher_state", { labels: "state" }),
    countOf("Services and hosts posted", "tributary_traces_entities_posted_total"),
    countOf("Services and hosts unchanged", "tributary_traces_entities_unchanged_total"),
    countOf("Services and hosts deleted", "tributary_traces_entities_deleted_total"),
    countOf("Services and hosts cut", "tributary_traces_entities_cut_total"),
    countOf("Withdrawn", "tributary_traces_withdrawn_total"),
    countOf("Posts that failed", "tributary_traces_publish_failures_total"),
    gaugeOf("Services and hosts that cannot be composed", "tributary_traces_quarantined_subjects"),
    countOf("Put aside", "tributary_traces_quarantines_total"),
    countOf("gRPC receiver: hangs", "tributary_traces_grpc_hangs_total"),
    countOf("gRPC receiver: restarts", "tributary_traces_grpc_restarts_total"),
  ],
};
