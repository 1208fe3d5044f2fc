import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  propagation,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { messageOf } from "#kit/errors.ts";

/** The trace that a stored W3C `traceparent` names; without one that which is active. */
export function continued(traceparent: string | null): Context {
  const active = context.active();
  if (traceparent === null) return active;
  return propagation.extract(active, { traceparent }, defaultTextMapGetter);
}

interface WorkSpan {
  tracer: Tracer;
  name: string;
  /** W3C trace contexts of what led to it. */
  origins: Iterable<string>;
  attributes: Attributes;
}

/** Runs `work` in a span: if one trace led to it, a child of that; if several did, linked to all of them. */
export async function tracedWork<T>(
  { tracer, name, origins, attributes }: WorkSpan,
  work: () => Promise<T>,
): Promise<T> {
  const parents = [...origins].map(continued);
  const parent = parents.length === 1 ? parents[0]! : context.active();
  const links = parents.length === 1 ? [] : parents.flatMap((each) => {
    const spanContext = trace.getSpanContext(each);
    return spanContext ? [{ context: spanContext }] : [];
  });
  const span = tracer.startSpan(name, { links, attributes }, parent);
  return await withinSpan(span, work, parent);
}

/** Runs `work` in a span, which ends with it; its failure is one of the span. */
export async function withinSpan<T>(
  span: Span,
  work: () => Promise<T>,
  parent = context.active(),
): Promise<T> {
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    span.end();
  }
}

/** Maximum number of traces that one span is linked to. */
const maxLinks = 100;
/** Longest header in characters; a longer one cannot be a trace context. */
const maxTraceparent = 200;

/** The different trace contexts among headers, at most `maxLinks`. */
export function originsOf(given: Iterable<string | undefined>): Set<string> {
  const origins = new Set<string>();
  for (const traceparent of given) {
    if (origins.size >= maxLinks) break;
    if (traceparent !== undefined && traceparent.length <= maxTraceparent) origins.add(traceparent);
  }
  return origins;
}

/** The trace context of now, for a header; undefined when this process exports no traces. */
export function activeTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The form of a W3C trace context. */
export const validTraceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The W3C trace context that a record of this request carries: the active one, or the client's own when this process
 * exports no traces.
 */
export function traceparentOf({ headers }: Request): string | undefined {
  const value = activeTraceparent() ?? headers.get("traceparent") ?? "";
  return validTraceparent.test(value) ? value : undefined;
}
