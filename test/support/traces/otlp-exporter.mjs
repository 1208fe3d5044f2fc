// Exports spans as an application does: the stock OpenTelemetry SDK of Node, set up by its environment
// variables (OTEL_EXPORTER_OTLP_ENDPOINT, …_PROTOCOL, …_COMPRESSION, …_HEADERS). Runs on Node, as those
// applications do. Arguments: number of spans, rounds. Prints what the SDK complained of, as JSON.
import { diag, DiagLogLevel, SpanKind, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";

const [count = 1, rounds = 1] = process.argv.slice(2).map(Number);
const errors = [];
const note = (...words) => errors.push(words.map(String).join(" ").slice(0, 500));
const quiet = () => {};
/** The SDK rejects with a list of errors. */
const messagesOf = (errors) =>
  [errors].flat().forEach((error) => note(error.message, error.code, error.data ?? ""));

const sdk = new NodeSDK({ instrumentations: [] });
sdk.start();
diag.setLogger({ error: note, warn: note, info: quiet, debug: quiet, verbose: quiet }, {
  logLevel: DiagLogLevel.WARN,
  suppressOverrideMessage: true,
});
const tracer = trace.getTracer("test");
const traceIds = [];
for (let round = 0; round < rounds; round++) {
  for (let n = 0; n < count; n++) {
    const span = tracer.startSpan("GET /orders/{id}", {
      kind: SpanKind.SERVER,
      attributes: { "http.request.method": "GET", "http.route": "/orders/{id}", "app.note": "ü" },
    });
    span.addEvent("looked up", { rows: 3 });
    traceIds.push(span.spanContext().traceId);
    span.end();
  }
  await trace.getTracerProvider().getDelegate?.().forceFlush?.().catch(messagesOf);
}
await sdk.shutdown().catch(messagesOf);
// A pipe takes a long text bit by bit; what holds the process open afterwards is of no interest.
process.stdout.write(JSON.stringify({ traceIds, errors }), () => process.exit(0));
