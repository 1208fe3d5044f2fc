import { trace } from "@opentelemetry/api";
import { messageOf } from "#kit/errors.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { Outcome, RetryPolicy } from "#platform/outbox/queue.ts";
import { Outbox, recordMs } from "#platform/outbox/outbox.ts";
import { textsIn } from "#platform/messages/texts.ts";
import type { MessageMetrics } from "#services/chat/metrics.ts";
import { answerMs } from "#platform/chat/call.ts";
import { type ChatProvider, outcomeOfFailure, ProviderFailure } from "#platform/chat/port.ts";
import { type ClaimedMessage, MessageQueue } from "./queue.ts";
import { posted, subjectOf } from "./render.ts";

interface MessageRules {
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

interface AttemptDeps extends Pick<Context, "db" | "baseUrl" | "config" | "log"> {
  provider: ChatProvider;
  attempts: number;
}

/** How far the provider's clock may be from ours, with the time of an attempt, milliseconds. */
const skewMs = 120_000;
const ownFailure = "an internal error, see the log";

/**
 * One attempt to send a message. One that may have been sent before is looked for at the provider first. Rejects
 * when the metadata store is not available; an error of our own fails only this message.
 */
async function attempt(
  deps: AttemptDeps,
  message: ClaimedMessage,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const before = message.uncertain ? await sentBefore(deps, message, signal) : null;
    if (before !== null) return { kind: "delivered", receipt: before };
    if (message.number > deps.attempts) return interrupted;
    return { kind: "delivered", receipt: await send(deps, message, signal) };
  } catch (error) {
    if (error instanceof ProviderFailure) return outcomeOfFailure(error);
    if (isMetadataDown(error)) throw error;
    deps.log.error("message cannot be sent", { message: message.id, error });
    return { kind: "refused", cause: ownFailure };
  }
}

const interrupted: Outcome = {
  kind: "refused",
  cause: "the process ended while it was being sent",
};

/** The id of the message at the provider, when an earlier attempt came there; null also when it does not let us look. */
async function sentBefore(
  { provider, log }: AttemptDeps,
  message: ClaimedMessage,
  signal: AbortSignal,
): Promise<string | null> {
  const { id: messageId, channelId, createdAt, attemptedBefore } = message;
  const since = new Date(createdAt.getTime() - skewMs);
  const until = new Date((attemptedBefore ?? createdAt).getTime() + skewMs);
  try {
    return await provider.posted({ channelId, messageId }, { since, until }, signal);
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== "permanent") throw error;
    const logFields = { message: messageId, cause: messageOf(error) };
    log.warn("message may be sent twice: the app may not read the channel's history", logFields);
    return null;
  }
}

async function send(
  { db, provider, baseUrl, config }: AttemptDeps,
  { id: messageId, entityId, channelId, text, author }: ClaimedMessage,
  signal: AbortSignal,
): Promise<string> {
  const subject = await subjectOf(db, entityId);
  if (!subject) throw new ProviderFailure("permanent", "its data entity is gone");
  const shown = posted({
    text,
    author,
    subject,
    baseUrl: baseUrl(),
    texts: textsIn(config.catalog.language),
  });
  return await provider.post({ channelId, messageId, ...shown }, signal);
}
