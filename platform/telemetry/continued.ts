import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  propagation,
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
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    span.end();
  }
}
