import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { version } from "#platform/version.ts";

/** How spans are exported. */
export interface TraceOptions {
  /** Service name for all spans; when unset, each span gets the service within this process that made it. */
  service?: string;
  /** `…/v1/traces`; when unset, the OpenTelemetry environment variables decide. */
  url?: string;
  headers?: Record<string, string>;
  /** Spans are dropped while this returns false. */
  wanted?: () => boolean;
}

/** An export of spans that runs; `shutdown` flushes and ends it. */
export interface TraceExport {
  shutdown(): Promise<void>;
}

type Spans = Parameters<OTLPTraceExporter["export"]>[0];
type Resource = Spans[number]["resource"];

/** Which service makes the spans of a tracer; other tracers are named `tributary.<service>`. */
const servicesByTracer = new Map(Object.entries({
  "tributary.http": "api",
  "tributary.messages": "chat",
  "tributary.ingest": "ingest-consumer",
  "tributary.projector": "ingest-consumer",
}));

const ours = { "service.namespace": "tributary", "service.version": version };

/** Gives spans of several services in one process the name of the service that made them. */
class ServiceExporter extends OTLPTraceExporter {
  readonly #resources = new Map<string, Resource>();

  constructor(private readonly options: TraceOptions) {
    super({
      url: options.url,
      headers: options.headers,
      // A request that Deno repeats, since the receiver closed the connection it reused, throws when it times out, where
      // nobody catches it: the process ends with its receiver. A new connection is never repeated.
      httpAgentOptions: { keepAlive: false },
    });
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

/** Starts exporting spans of all tracers of this process. */
export function startExport(options: TraceOptions): TraceExport {
  const sdk = new NodeSDK({
    serviceName: options.service ?? "tributary",
    traceExporter: new ServiceExporter(options),
    instrumentations: [],
  });
  sdk.start();
  return { shutdown: () => sdk.shutdown().catch(() => {}) };
}
