import {
  context,
  defaultTextMapGetter,
  propagation,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Claimed } from "./claims.ts";
import type { Verdict } from "./verdict.ts";

const tracer = trace.getTracer("tributary.messages");

/** One span around an attempt, in the trace of the request that posted the message. */
export async function tracedAttempt(
  { id, number, traceparent }: Claimed,
  send: () => Promise<Verdict>,
): Promise<Verdict> {
  const parent = traceparent === null
    ? context.active()
    : propagation.extract(context.active(), { traceparent }, defaultTextMapGetter);
  const attributes = { "tributary.message": id, "tributary.message.attempt": number };
  const span = tracer.startSpan("send message", { attributes }, parent);
  try {
    const verdict = await context.with(trace.setSpan(parent, span), send);
    span.setAttribute("tributary.message.outcome", verdict.kind);
    if (verdict.kind !== "sent") {
      span.setStatus({ code: SpanStatusCode.ERROR, message: verdict.cause });
    }
    return verdict;
  } finally {
    span.end();
  }
}
