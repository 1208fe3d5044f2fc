import type { Metrics } from "#kit/metrics.ts";

/** Metrics of the intake: received = accepted + refused + dropped, once no request is at work. */
export function intakeMetrics(metrics: Metrics) {
  const requests = metrics.counter(
    "tributary_traces_requests_total",
    "Trace requests, by protocol and outcome",
    ["protocol", "outcome"],
  );
  const received = metrics.counter(
    "tributary_traces_spans_received_total",
    "Spans that were decoded",
    ["protocol"],
  );
  const accepted = metrics.counter(
    "tributary_traces_spans_accepted_total",
    "Spans whose facts are in the event log",
    ["protocol"],
  );
  const refused = metrics.counter(
    "tributary_traces_spans_refused_total",
    "Spans that were refused",
    ["reason"],
  );
  const dropped = metrics.counter(
    "tributary_traces_spans_dropped_total",
    "Accepted spans without a stored fact",
    ["reason"],
  );
  const add = (counter: typeof received, labels: Record<string, string>, count: number) => {
    if (count > 0) counter.inc(labels, count);
  };
  return {
    request: (protocol: string, outcome: "accepted" | "malformed" | "refused") =>
      requests.inc({ protocol, outcome }),
    received: (protocol: string, count: number) => add(received, { protocol }, count),
    accepted: (protocol: string, count: number) => add(accepted, { protocol }, count),
    refused: (reason: string, count: number) => add(refused, { reason }, count),
    dropped: (reason: string, count: number) => add(dropped, { reason }, count),
  };
}
