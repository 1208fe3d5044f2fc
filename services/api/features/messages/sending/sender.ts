import { trace } from "@opentelemetry/api";
import type { Context } from "#platform/context.ts";
import type { RetryPolicy } from "#platform/outbox/outcome.ts";
import { Outbox, recordMs } from "#platform/outbox/outbox.ts";
import type { MessageMetrics } from "#services/api/features/messages/metrics.ts";
import { answerMs } from "#services/api/features/messages/provider/call.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import { attempt } from "./attempt.ts";
import { type ClaimedMessage, MessageQueue } from "./queue.ts";

export interface MessageRules {
  /** Attempts in all: the first, and those that follow it. */
  attempts: number;
  /** Milliseconds between two of them. */
  waitMs: number;
  /** Milliseconds after which a message that the provider keeps postponing fails. */
  longestMs: number;
}

type Deps = Pick<Context, "db" | "wakeups" | "clock" | "log" | "baseUrl" | "config">;

export interface SenderOptions extends Deps {
  provider: ChatProvider;
  metrics: MessageMetrics;
  rules: MessageRules;
  /** Milliseconds after which a claimed message may be claimed again; more than two calls of the provider. */
  leaseMs?: number;
  /** Shortest time between two messages of a channel, milliseconds: what the provider takes. */
  intervalMs?: number;
  /** Milliseconds between two claims without a wake-up. */
  pollMs?: number;
}

/** Messages at once, each of another channel. */
const concurrency = 8;
/** Maximum number of requests of one attempt. */
const callsOfAttempt = 2;
/** Milliseconds that `stop` gives to attempts in flight; those that are aborted are looked for at the provider. */
const drainMs = 3_000;
const longestAttemptMs = callsOfAttempt * answerMs;
const tracer = trace.getTracer("tributary.messages");

/** The outbox of messages that people posted. */
export function messageSender(options: SenderOptions): Outbox<ClaimedMessage> {
  const { db, rules, metrics, intervalMs = 1_000, leaseMs = longestAttemptMs + recordMs } = options;
  const attemptMs = Math.min(longestAttemptMs, leaseMs / 2);
  const deps = { ...options, attempts: rules.attempts };
  return new Outbox({
    ...options,
    name: "message sender",
    queue: new MessageQueue(db, { attemptMs, leaseMs, intervalMs }),
    channel: { concurrency, send: (message, signal) => attempt(deps, message, signal) },
    policy: { ...withinAttempts(rules), attemptMs, drainMs },
    span: {
      tracer,
      name: "send message",
      prefix: "tributary.message",
      attributes: ({ id, number }) => ({ id, attempt: number }),
    },
    metrics: metrics.messages,
    wakeup: "message_sending",
  });
}

/** As many attempts as a message has, at equal intervals; what the provider postpones has a longest time instead. */
function withinAttempts({ attempts, waitMs, longestMs }: MessageRules): RetryPolicy {
  return {
    waitMs: () => waitMs,
    giveUp({ number, ageMs }, { cause, counts }) {
      const isExhausted = counts === false ? ageMs > longestMs : number >= attempts;
      return isExhausted ? cause : null;
    },
  };
}
