import { type Attributes, context, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { messageOf } from "#kit/errors.ts";
import { continued } from "#platform/telemetry/continued.ts";

const tracer = trace.getTracer("tributary.openlineage");

/** Most traces that one span is linked to. */
export const maxLinks = 100;
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

/** Runs `work` in a span: if one trace led to it, a child of that; if several did, linked to all of them. */
export async function traced<T>(
  name: string,
  { origins, attributes }: { origins: ReadonlySet<string>; attributes: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  const parents = [...origins].map(continued);
  const parent = parents.length === 1 ? parents[0]! : context.active();
  const links = parents.length === 1 ? [] : parents.flatMap((each) => {
    const spanContext = trace.getSpanContext(each);
    return spanContext ? [{ context: spanContext }] : [];
  });
  const span = tracer.startSpan(name, { links, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    span.end();
  }
}

/** The trace context of now, for a header; undefined when this process exports no traces. */
export function activeTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
