import { messageOf } from "#kit/errors.ts";
import type { ResourceSpans, SpanKind, SpanLink, SpanModel } from "../model.ts";
import { decodeAttributes } from "./attributes.ts";
import { type Decoded, MalformedRequest, Refusals } from "./decoded.ts";
import { otlp } from "./generated/otlp.js";
import { idOfBytes } from "./ids.ts";
import { approximate, type Wide } from "./numbers.ts";
import type { WantedKeys } from "./wanted.ts";

/** Kinds by their number on the wire. */
export const kinds: SpanKind[] = [
  "unspecified",
  "internal",
  "server",
  "client",
  "producer",
  "consumer",
];
const none = new Uint8Array();

/** Decodes an ExportTraceServiceRequest or TracesData. Throws `MalformedRequest`. */
export function decodeProtobuf(body: Uint8Array, wanted: WantedKeys): Decoded {
  const refusals = new Refusals();
  let received = 0;
  const resourceSpans = guarded(() =>
    (otlp.TracesData.decode(body).resourceSpans ?? []).map(({ resource, scopeSpans }) => {
      const spans: SpanModel[] = [];
      for (const scope of scopeSpans ?? []) {
        for (const span of scope.spans ?? []) {
          received++;
          const model = spanOf(span, wanted, refusals);
          if (model) spans.push(model);
        }
      }
      return { resource: decodeAttributes(resource?.attributes ?? [], wanted), spans };
    })
  );
  return { resourceSpans, received, refused: refusals.count, reason: refusals.reason };
}

function guarded(decode: () => ResourceSpans[]): ResourceSpans[] {
  try {
    return decode();
  } catch (cause) {
    throw new MalformedRequest(`not a protobuf ExportTraceServiceRequest: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function spanOf(
  span: otlp.Span.$Properties,
  wanted: WantedKeys,
  refusals: Refusals,
): SpanModel | null {
  const traceId = idOfBytes(span.traceId ?? none, 16);
  const spanId = idOfBytes(span.spanId ?? none, 8);
  if (traceId === null || spanId === null) {
    refusals.add(traceId === null ? badTraceId : badSpanId);
    return null;
  }
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanId ? idOfBytes(span.parentSpanId, 8) : null,
    name: span.name ?? "",
    kind: kinds[span.kind ?? 0] ?? "unspecified",
    startMicros: micros(span.startTimeUnixNano as Wide),
    endMicros: micros(span.endTimeUnixNano as Wide),
    error: span.status?.code === otlp.StatusCode.STATUS_CODE_ERROR,
    attributes: decodeAttributes(span.attributes ?? [], wanted),
    links: linksOf(span.links ?? []),
  };
}

/** Reasons of refusal, as the exporter's log will show them. */
export const badTraceId = "a trace id must be 16 bytes, not all zero";
export const badSpanId = "a span id must be 8 bytes, not all zero";

function micros(nanos: Wide): number {
  return Math.floor(approximate(nanos) / 1_000);
}

const noLinks: SpanLink[] = [];

function linksOf(links: otlp.Link.$Properties[]): SpanLink[] {
  if (links.length === 0) return noLinks;
  return links.flatMap((link) => {
    const traceId = idOfBytes(link.traceId ?? none, 16);
    const spanId = idOfBytes(link.spanId ?? none, 8);
    return traceId !== null && spanId !== null ? [{ traceId, spanId }] : [];
  });
}
