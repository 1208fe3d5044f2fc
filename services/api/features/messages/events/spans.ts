import { context, trace } from "@opentelemetry/api";
import { continued } from "#platform/telemetry/continued.ts";

const tracer = trace.getTracer("tributary.messages");

/** One span around taking an event in, in the trace of the request that brought it. */
export async function tracedEvent(
  { id, traceparent }: { id: number; traceparent: string | null },
  work: () => Promise<void>,
): Promise<void> {
  const parent = continued(traceparent);
  const span = tracer.startSpan(
    "take in reply",
    { attributes: { "tributary.chat.event": id } },
    parent,
  );
  try {
    await context.with(trace.setSpan(parent, span), work);
  } finally {
    span.end();
  }
}
