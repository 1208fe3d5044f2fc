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

/** What an attempt came to; with a cause where it did not succeed. */
interface AttemptEnd {
  kind: string;
  cause?: string;
}

export interface AttemptSpan {
  tracer: Tracer;
  name: string;
  /** The trace of the requester. */
  traceparent: string | null;
  /** Attributes by their names without `prefix`, as the outcome's will be. */
  attributes: Attributes;
  prefix: string;
}

/** One span around an attempt that does not throw, with its outcome; an outcome with a cause is an error. */
export async function tracedAttemptOf<R extends AttemptEnd>(
  { tracer, name, traceparent, attributes, prefix }: AttemptSpan,
  attempt: () => Promise<R>,
): Promise<R> {
  const parent = continued(traceparent);
  const named = Object.entries(attributes).map(([key, value]) => [`${prefix}.${key}`, value]);
  const span = tracer.startSpan(name, { attributes: Object.fromEntries(named) }, parent);
  try {
    const ended = await context.with(trace.setSpan(parent, span), attempt);
    span.setAttribute(`${prefix}.outcome`, ended.kind);
    if (ended.cause !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: ended.cause });
    }
    return ended;
  } finally {
    span.end();
  }
}

export interface WorkSpan {
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
