import { trace } from "@opentelemetry/api";
import { tracedAttemptOf } from "#platform/telemetry/continued.ts";
import type { Outcome } from "#services/notifier/channels/channel.ts";
import type { ClaimedDelivery } from "./claims.ts";
import type { Unsent } from "./outcome.ts";

const tracer = trace.getTracer("tributary.notifier");

/** One span around an attempt, in the trace of the request or run that changed the alert. */
export function tracedAttempt(
  channel: string,
  { deliveryId, number, traceparent }: ClaimedDelivery,
  send: () => Promise<Outcome | Unsent>,
): Promise<Outcome | Unsent> {
  const prefix = "tributary.notification";
  const attributes = { channel, delivery: deliveryId, attempt: number };
  const name = "send notification";
  return tracedAttemptOf({ tracer, name, traceparent, attributes, prefix }, send);
}
