import { context, propagation } from "@opentelemetry/api";

/** Maximum number of traces that one span is linked to. */
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

/** The trace context of now, for a header; undefined when this process exports no traces. */
export function activeTraceparent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
