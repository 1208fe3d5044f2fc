import { trace } from "@opentelemetry/api";
import { tracedAttemptOf } from "#platform/telemetry/continued.ts";
import type { ClaimedMessage } from "./claims.ts";
import type { SendOutcome } from "./outcome.ts";

const tracer = trace.getTracer("tributary.messages");

/** One span around an attempt, in the trace of the request that posted the message. */
export function tracedAttempt(
  { id, number, traceparent }: ClaimedMessage,
  send: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const prefix = "tributary.message";
  const attributes = { id, attempt: number };
  return tracedAttemptOf({ tracer, name: "send message", traceparent, attributes, prefix }, send);
}
