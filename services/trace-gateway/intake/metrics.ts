import type { Metrics } from "#kit/metrics.ts";

/** Metrics of the intake: received = accepted + refused + dropped, once no request is at work. */
export function intakeMetrics(metrics: Metrics) {
  const requests = metrics.counter(
    "tributary_traces_requests_total",
    "Trace requests by how they came and what became of them",
    ["protocol", "outcome"],
  );
  const spans = (what: string, help: string, label: string) =>
    metrics.counter(`tributary_traces_spans_${what}_total`, help, [label]);
  const received = spans("received", "Spans that were decoded", "protocol");
  const accepted = spans("accepted", "Spans whose facts are in the event log", "protocol");
  const refused = spans("refused", "Spans that their exporter was refused", "reason");
  const dropped = spans("dropped", "Spans taken of which nothing is kept", "reason");
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
