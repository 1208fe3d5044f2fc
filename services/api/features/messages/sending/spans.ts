import { trace } from "@opentelemetry/api";
import { tracedAttemptOf } from "#platform/telemetry/continued.ts";
import type { Claimed } from "./claims.ts";
import type { Verdict } from "./verdict.ts";

const tracer = trace.getTracer("tributary.messages");

/** One span around an attempt, in the trace of the request that posted the message. */
export function tracedAttempt(
  { id, number, traceparent }: Claimed,
  send: () => Promise<Verdict>,
): Promise<Verdict> {
  const prefix = "tributary.message";
  const attributes = { id, attempt: number };
  return tracedAttemptOf({ tracer, name: "send message", traceparent, attributes, prefix }, send);
}
