/** What an attribute may hold once decoded; integers beyond 2^53 and maps become text. */
export type AttributeValue = string | number | boolean | string[];

/** Attributes that the gateway needs (see `facts/attributes.ts`); all others are left undecoded. */
export type Attributes = Record<string, AttributeValue>;

export type SpanKind = "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanLink {
  traceId: string;
  spanId: string;
}

/** A span as any of the receivers decodes it: protobuf or JSON, over HTTP, gRPC or Kafka. */
export interface SpanModel {
  /** 32 lower-case hex digits. */
  traceId: string;
  /** 16 lower-case hex digits. */
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: SpanKind;
  /** Microseconds since the epoch. */
  startMicros: number;
  endMicros: number;
  /** The status code is ERROR. */
  error: boolean;
  attributes: Attributes;
  links: SpanLink[];
}

/** Spans of one emitter. */
export interface ResourceSpans {
  resource: Attributes;
  spans: SpanModel[];
}
