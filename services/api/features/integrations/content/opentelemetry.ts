import {
  argument,
  type Here,
  type IntegrationSpec,
  known,
  snippet,
} from "#services/api/features/integrations/integration.ts";

const overHttp = (here: Here) =>
  known("otlp_http_url", "Address of the OTLP receiver, over HTTP", here.otlpHttpUrl);
const overGrpc = (here: Here) =>
  known("otlp_grpc_url", "Address of the OTLP receiver, over gRPC", here.otlpGrpcUrl);
const token = argument("otlp_token", "Token of exporters (traces.token), or of a collector");

const environment = (here: Here, protocol: string, endpoint: string) =>
  [
    "export OTEL_SERVICE_NAME='{{service_name}}'",
    "export OTEL_TRACES_EXPORTER=otlp",
    `export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=${protocol}`,
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT='${endpoint}'`,
    ...here.otlpToken
      ? ["export OTEL_EXPORTER_OTLP_TRACES_HEADERS='authorization=Bearer%20{{otlp_token}}'"]
      : [],
  ].join("\n") + "\n";

const exporter = (here: Here) =>
  [
    "exporters:",
    "  otlphttp/catalogue:",
    `    endpoint: "{{otlp_http_url}}"`,
    ...here.otlpToken ? ["    headers:", `      authorization: "Bearer {{otlp_token}}"`] : [],
    "service:",
    "  pipelines:",
    "    traces:",
    "      receivers: [otlp]",
    "      processors: [batch]",
    "      exporters: [otlphttp/catalogue]",
  ].join("\n") + "\n";

/** Lineage of services from their traces. */
export const openTelemetry: IntegrationSpec = {
  id: "opentelemetry",
  name: "OpenTelemetry",
  description:
    "See which services call each other, and which tables and topics they read and write",
  arrived: "EXISTS (SELECT FROM service_edge)",
  blocks: (here) => {
    const service = argument("service_name", "Name of the service");
    const http = environment(here, "http/protobuf", "{{otlp_http_url}}/v1/traces");
    const grpc = environment(here, "grpc", "{{otlp_grpc_url}}");
    return [
      {
        title: "From a service",
        content:
          "Services that are instrumented with an OpenTelemetry SDK export their traces to this catalogue when these " +
          "variables are set: the first over HTTP, the second over gRPC.",
        code_snippets: [
          snippet(http, service, overHttp(here), token),
          snippet(grpc, service, overGrpc(here), token),
        ],
      },
      {
        title: "From an OpenTelemetry Collector",
        content:
          "Where traces pass through a Collector, it sends a copy: add the exporter to its configuration, and name it " +
          "in the pipeline of traces, in addition to the existing ones. Sample as late as possible: spans that are not sent are not seen.",
        code_snippets: [snippet(exporter(here), overHttp(here), token)],
      },
    ];
  },
};
