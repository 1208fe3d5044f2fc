import { trace } from "@opentelemetry/api";
import type { GraphBatch } from "#graph/port.ts";
import { tracedWork } from "#platform/telemetry/continued.ts";

const tracer = trace.getTracer("tributary.projector");

/** Runs the write of a batch in a span, in the traces that moved the lineage. */
export function tracedBatch<T>(
  batch: GraphBatch,
  origins: string[],
  write: () => Promise<T>,
): Promise<T> {
  const attributes = {
    "tributary.projection.position": batch.position,
    "tributary.projection.entities": batch.entities.length,
    "tributary.projection.edges": batch.edges.length,
  };
  return tracedWork({ tracer, name: "project batch", origins, attributes }, write);
}
