import { countOf, type Dashboard, gaugeOf, panel, rateOf, timesOf } from "./panel.ts";

/** Requests, who makes them, and what they wait for. */
export const httpDashboard: Dashboard = {
  uid: "tributary-http",
  title: "Tributary: HTTP and access",
  panels: [
    rateOf("Requests a second", "tributary_http_request_duration_seconds_count", "status"),
    panel(
      "Share of requests that fail (5xx)",
      "percentunit",
      '(sum(rate(tributary_http_request_duration_seconds_count{status=~"5.."}[5m])) or on() vector(0)) ' +
        "/ sum(rate(tributary_http_request_duration_seconds_count[5m]))",
    ),
    panel(
      "Slowest operations, 95 %",
      "s",
      "topk(10, histogram_quantile(0.95, sum by (le, method, route) " +
        "(rate(tributary_http_request_duration_seconds_bucket[5m])))) or on() vector(0)",
      "{{method}} {{route}}",
    ),
    panel(
      "Most requested operations",
      "reqps",
      "topk(10, sum by (method, route) (rate(tributary_http_request_duration_seconds_count[5m])))",
      "{{method}} {{route}}",
    ),
    gaugeOf("Addresses whose refused bodies are counted", "tributary_http_refused_addresses"),
    countOf("Throttled bodies", "tributary_http_bodies_held_off_total"),
    countOf("Failures to listen", "tributary_http_listen_failures_total"),
    countOf("Sign-ins by end", "tributary_sign_ins_total", "outcome"),
    countOf("Nobody could be recognised", "tributary_authentication_unavailable_total"),
    countOf("Sign-ins by a provider that failed", "tributary_oauth2_failures_total", "reason"),
    gaugeOf("Sign-ins that wait for the directory", "tributary_ldap_checks_waiting"),
    gaugeOf("Sign-ins by form that wait", "tributary_form_checks_waiting"),
    gaugeOf("Policies that cannot be read", "tributary_access_unreadable_policies"),
    countOf("Events lost for auditors", "tributary_audit_lost_total", "type"),
    rateOf(
      "Lookups by cache hit",
      "tributary_lookup_cache_requests_total",
      "cache, result",
    ),
    gaugeOf("Cached entries", "tributary_lookup_cache_entries", { labels: "cache" }),
    countOf("Cache failures", "tributary_cache_failures_total", "command"),
    rateOf(
      "Calls of the storage of files",
      "tributary_attachment_storage_calls_total",
      "call, outcome",
    ),
    timesOf("Time of a call of the storage", "tributary_attachment_storage_seconds"),
    gaugeOf("Chunks of uploads that wait", "tributary_attachment_chunks_waiting"),
    gaugeOf("Pieces of deleted files to remove", "tributary_attachment_pieces_waiting"),
    gaugeOf("Pieces that cannot be removed", "tributary_attachment_pieces_stuck"),
    countOf("Questions in natural language", "tributary_genai_questions_total", "outcome"),
    gaugeOf("Questions that wait", "tributary_genai_questions_waiting"),
    rateOf("Questions of assistants a second", "tributary_mcp_calls_total", "tool, outcome"),
    timesOf("Time of a question of an assistant", "tributary_mcp_call_duration_seconds", "tool"),
    gaugeOf("Views of entities to be stored", "tributary_views_waiting"),
    countOf("Views of entities that were lost", "tributary_views_lost_total"),
    gaugeOf("Clients that follow changes", "tributary_change_streams"),
    rateOf("Changes sent per second", "tributary_change_events_total", "kind"),
    countOf("Streams of changes that ended", "tributary_change_streams_ended_total", "reason"),
    countOf("Streams of changes refused", "tributary_change_streams_refused_total", "limit"),
    timesOf("From a change to telling it", "tributary_change_delay_seconds"),
    gaugeOf("Reads of changes that wait", "tributary_change_reads_waiting"),
    gaugeOf("Operations on dead letters that wait", "tributary_ops_dead_letter_calls_waiting"),
  ],
};
