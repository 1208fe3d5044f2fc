import {
  context,
  defaultTextMapGetter,
  propagation,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Outcome } from "#services/notifier/channels/channel.ts";
import type { Claimed } from "./claims.ts";
import type { Unsent } from "./outcome.ts";

const tracer = trace.getTracer("tributary.notifier");

/** One span around an attempt, in the trace of the request or run that changed the alert. */
export async function tracedAttempt(
  channel: string,
  { deliveryId, number, traceparent }: Claimed,
  send: () => Promise<Outcome | Unsent>,
): Promise<Outcome | Unsent> {
  const parent = traceparent === null
    ? context.active()
    : propagation.extract(context.active(), { traceparent }, defaultTextMapGetter);
  const attributes = {
    "tributary.notification.channel": channel,
    "tributary.notification.delivery": deliveryId,
    "tributary.notification.attempt": number,
  };
  const span = tracer.startSpan("send notification", { attributes }, parent);
  try {
    const outcome = await context.with(trace.setSpan(parent, span), send);
    span.setAttribute("tributary.notification.outcome", outcome.kind);
    if (outcome.kind !== "delivered") {
      span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.cause });
    }
    return outcome;
  } finally {
    span.end();
  }
}
