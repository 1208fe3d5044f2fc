import { context, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { GraphBatch } from "#graph/port.ts";
import { messageOf } from "#kit/errors.ts";
import { continued } from "#platform/telemetry/continued.ts";

const tracer = trace.getTracer("tributary.projector");

/**
 * Runs the write of a batch in a span. If one trace moved the lineage, the span is its child; if
 * several did, it is linked to all of them.
 */
export async function tracedBatch<T>(
  batch: GraphBatch,
  origins: string[],
  write: () => Promise<T>,
): Promise<T> {
  const parents = origins.map(continued);
  const links = parents.flatMap((parent) => {
    const spanContext = trace.getSpanContext(parent);
    return spanContext ? [{ context: spanContext }] : [];
  });
  const span = tracer.startSpan("project batch", {
    links,
    attributes: {
      "tributary.projection.position": batch.position,
      "tributary.projection.entities": batch.entities.length,
      "tributary.projection.edges": batch.edges.length,
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

function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
}
