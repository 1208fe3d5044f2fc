import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { version } from "#platform/version.ts";

type Spans = Parameters<OTLPTraceExporter["export"]>[0];
type Resource = Spans[number]["resource"];

export interface TraceOptions {
  /** Service of all spans; unset: the one within this process that made each. */
  service?: string;
  /** `…/v1/traces`; unset: by the OpenTelemetry environment variables. */
  url?: string;
  headers?: Record<string, string>;
  /** While it is false, spans are dropped. */
  wanted?: () => boolean;
}

/** Which service makes the spans of a tracer; others are called `tributary.<service>`. */
const servicesByTracer = new Map(Object.entries({
  "tributary.http": "api",
  "tributary.ingest": "ingest-consumer",
  "tributary.projector": "ingest-consumer",
}));

const ours = { "service.namespace": "tributary", "service.version": version };

/** Gives spans of several services in one process the name of the service that made them. */
class ServiceExporter extends OTLPTraceExporter {
  readonly #resources = new Map<string, Resource>();

  constructor(private readonly options: TraceOptions) {
    super({ url: options.url, headers: options.headers });
  }

  override export(spans: Spans, done: Parameters<OTLPTraceExporter["export"]>[1]): void {
    if (this.options.wanted?.() === false) return done({ code: 0 });
    super.export(spans.map((span) => this.#named(span)), done);
  }

  #named(span: Spans[number]): Spans[number] {
    const tracer = span.instrumentationScope.name;
    const service = this.options.service ?? servicesByTracer.get(tracer) ??
      tracer.replace(/^tributary\./, "");
    let resource = this.#resources.get(service);
    if (!resource) {
      const attributes = { ...ours, ...span.resource.attributes, "service.name": service };
      resource = Object.create(span.resource, { attributes: { value: attributes } }) as Resource;
      this.#resources.set(service, resource);
    }
    return Object.create(span, { resource: { value: resource } });
  }
}

let started = false;

/**
 * Starts exporting spans; false when this process exports some already, since tracers stay with the
 * first provider they meet.
 */
export function exportTraces(options: TraceOptions): { shutdown(): Promise<void> } | null {
  if (started) return null;
  started = true;
  const sdk = new NodeSDK({
    serviceName: options.service ?? "tributary",
    traceExporter: new ServiceExporter(options),
    instrumentations: [],
  });
  sdk.start();
  return { shutdown: () => sdk.shutdown().catch(() => {}) };
}

/**
 * Exports spans when `OTEL_EXPORTER_OTLP_ENDPOINT` (or `…_TRACES_ENDPOINT`) is set, by the
 * OpenTelemetry environment variables; else does nothing. `service` names those of a process that
 * runs one service. Returns what flushes and ends it.
 */
export function startTraces(
  service: string | undefined,
  env: Record<string, string | undefined>,
): () => Promise<void> {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return () => Promise.resolve();
  const exporting = exportTraces({ service: env.OTEL_SERVICE_NAME ?? service });
  return () => exporting?.shutdown() ?? Promise.resolve();
}
