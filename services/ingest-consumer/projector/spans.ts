import {
  type Context,
  context,
  defaultTextMapGetter,
  propagation,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { GraphLot } from "#graph/port.ts";
import { messageOf } from "#kit/errors.ts";

const tracer = trace.getTracer("tributary.projector");

/**
 * One span around the write of a lot. It is the child of the trace that moved lineage when there is
 * one, and linked to all of them when the lot holds the work of several.
 */
export async function tracedLot<T>(
  lot: GraphLot,
  origins: string[],
  write: () => Promise<T>,
): Promise<T> {
  const parents = origins.map(extracted);
  const links = parents.flatMap((parent) => {
    const spanContext = trace.getSpanContext(parent);
    return spanContext ? [{ context: spanContext }] : [];
  });
  const span = tracer.startSpan("project lot", {
    links,
    attributes: {
      "tributary.projection.position": lot.position,
      "tributary.projection.entities": lot.entities.length,
      "tributary.projection.edges": lot.edges.length,
    },
  }, parents.length === 1 ? parents[0] : context.active());
  try {
    return await write();
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function extracted(traceparent: string): Context {
  return propagation.extract(context.active(), { traceparent }, defaultTextMapGetter);
}

function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
}
