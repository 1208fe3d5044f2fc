import { randomBytes } from "node:crypto";
import { otlp } from "#services/trace-gateway/otlp/generated/otlp.js";

/** A span as tests write it down; ids in hex, times in milliseconds since the epoch. */
export interface TestSpan {
  traceId?: string;
  spanId?: string;
  parentSpanId?: string;
  name?: string;
  /** By number: 2 server, 3 client, 4 producer, 5 consumer. */
  kind?: number;
  startMs?: number;
  endMs?: number;
  error?: boolean;
  attributes?: Record<string, TestValue>;
  links?: { traceId: string; spanId: string }[];
}

export type TestValue = string | number | boolean | string[];

/** What one service exports. */
export interface TestResource {
  resource: Record<string, TestValue>;
  spans: TestSpan[];
}

/** A new id of `bytes` bytes, in hex. */
export const newId = (bytes: 8 | 16) => randomBytes(bytes).toString("hex");

/** Spans of `GET /orders/{id}` calls that `service` serves, each of a trace of its own. */
export function serverSpans(count: number, service = "orders"): TestResource {
  const spans = Array.from({ length: count }, () => ({
    name: "GET /orders/{id}",
    attributes: { "http.request.method": "GET", "http.route": "/orders/{id}" },
  }));
  return { resource: { "service.name": service }, spans };
}

const now = Date.now();

function whole(span: TestSpan): Required<TestSpan> {
  return {
    traceId: newId(16),
    spanId: newId(8),
    parentSpanId: "",
    name: "",
    kind: 2,
    startMs: now,
    endMs: now + 5,
    error: false,
    attributes: {},
    links: [],
    ...span,
  };
}

/** The request in protobuf. */
export function otlpBytes(resources: TestResource[]): Uint8Array<ArrayBuffer> {
  const hex = (id: string) => Uint8Array.from(id.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const resourceSpans = resources.map(({ resource, spans }) => ({
    resource: { attributes: keyValues(resource) },
    scopeSpans: [{
      spans: spans.map(whole).map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        name: span.name,
        kind: span.kind,
        startTimeUnixNano: span.startMs * 1e6,
        endTimeUnixNano: span.endMs * 1e6,
        attributes: keyValues(span.attributes),
        links: span.links.map((link) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
        status: { code: span.error ? 2 : 0 },
      })),
    }],
  }));
  return new Uint8Array(otlp.TracesData.encode({ resourceSpans }).finish());
}

/** The request in JSON. */
export function otlpJson(resources: TestResource[]): string {
  const resourceSpans = resources.map(({ resource, spans }) => ({
    resource: { attributes: keyValues(resource) },
    scopeSpans: [{
      spans: spans.map(whole).map(({ startMs, endMs, error, attributes, ...span }) => ({
        ...span,
        startTimeUnixNano: `${startMs}000000`,
        endTimeUnixNano: `${endMs}000000`,
        attributes: keyValues(attributes),
        status: error ? { code: 2 } : {},
      })),
    }],
  }));
  return JSON.stringify({ resourceSpans });
}

function keyValues(attributes: Record<string, TestValue>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: TestValue): otlp.AnyValue.$Properties {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}
