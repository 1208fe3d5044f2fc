/** The part of OTLP/JSON that the demonstration writes (opentelemetry-proto, JSON mapping). */
interface KeyValue {
  key: string;
  value: { stringValue: string };
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  status: { code: number };
}
export interface TraceExport {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { scope: { name: string }; spans: Span[] }[];
  }[];
}

const kinds = { server: 2, client: 3, producer: 4, consumer: 5 } as const;

export type Attributes = Record<string, string>;

/** A trace under construction: spans of several services with one trace id. */
export class DemoTrace {
  readonly #id = crypto.randomUUID().replaceAll("-", "");
  readonly #spans = new Map<string, Span[]>();
  #clock: number;

  /** `start` in milliseconds since the epoch. */
  constructor(start: number) {
    this.#clock = start * 1_000;
  }

  /** Adds a span of `millis` milliseconds, and the spans that `inner` adds within it. */
  span(
    service: string,
    kind: keyof typeof kinds,
    name: string,
    attributes: Attributes,
    options: { parent?: string; millis?: number; failed?: boolean } = {},
    inner: (id: string) => void = () => {},
  ): void {
    const spanId = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
    const started = this.#clock;
    inner(spanId);
    this.#clock += Math.round((options.millis ?? 3) * 1_000 * (0.5 + Math.random()));
    const span: Span = {
      traceId: this.#id,
      spanId,
      ...(options.parent ? { parentSpanId: options.parent } : {}),
      name,
      kind: kinds[kind],
      startTimeUnixNano: nanos(started),
      endTimeUnixNano: nanos(this.#clock),
      attributes: keyValues(attributes),
      status: { code: options.failed ? 2 : 0 },
    };
    this.#spans.set(service, [...this.#spans.get(service) ?? [], span]);
  }

  get spans(): ReadonlyMap<string, Span[]> {
    return this.#spans;
  }
}

/** Combines traces into one export, with a resource for each service. */
export function exportOf(
  traces: DemoTrace[],
  resourceOf: (service: string) => Attributes,
): TraceExport {
  const byService = new Map<string, Span[]>();
  for (const trace of traces) {
    for (const [service, spans] of trace.spans) {
      byService.set(service, [...byService.get(service) ?? [], ...spans]);
    }
  }
  return {
    resourceSpans: [...byService].map(([service, spans]) => ({
      resource: { attributes: keyValues(resourceOf(service)) },
      scopeSpans: [{ scope: { name: "demo" }, spans }],
    })),
  };
}

function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** Converts microseconds to nanoseconds, as text. */
function nanos(micros: number): string {
  return `${micros}000`;
}
