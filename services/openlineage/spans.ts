import { type Attributes, trace } from "@opentelemetry/api";
import { tracedWork } from "#platform/telemetry/continued.ts";

const tracer = trace.getTracer("tributary.openlineage");

/** Runs `work` in a span, in the traces that led to it. */
export function traced<T>(
  name: string,
  { origins, attributes }: { origins: ReadonlySet<string>; attributes: Attributes },
  work: () => Promise<T>,
): Promise<T> {
  return tracedWork({ tracer, name, origins, attributes }, work);
}
