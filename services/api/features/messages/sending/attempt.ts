import { textsIn } from "#platform/messages/texts.ts";
import { messageOf } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { ProviderFailure } from "#services/api/features/messages/provider/failure.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import type { ClaimedMessage } from "./claims.ts";
import { posted } from "./render.ts";
import { subjectOf } from "./subject.ts";
import { outcomeOf, type RetryRules, type SendOutcome } from "./outcome.ts";

export interface AttemptDeps extends Pick<Context, "db" | "baseUrl" | "clock" | "config" | "log"> {
  provider: ChatProvider;
  rules: RetryRules;
}

/** How far the provider's clock may be from ours, with the time of an attempt, milliseconds. */
const skewMs = 120_000;

/**
 * One attempt to send a message. One that may have been sent before is looked for at the provider first. Rejects
 * when the metadata store is not available, and for errors of our own.
 */
export async function attempt(
  deps: AttemptDeps,
  message: ClaimedMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  if (performance.now() > message.sendBefore) return later("the process was delayed", message);
  try {
    const before = message.uncertain ? await sentBefore(deps, message, signal) : null;
    if (before !== null) return { kind: "sent", providerId: before };
    if (message.number > deps.rules.attempts) return interrupted;
    return { kind: "sent", providerId: await send(deps, message, signal) };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const ageMs = deps.clock.now() - message.queuedAt.getTime();
    return outcomeOf(error, { number: message.number, ageMs }, deps.rules);
  }
}

const interrupted: SendOutcome = {
  kind: "failed",
  cause: "the process ended while it was being sent",
  uncertain: true,
};

/** Given back as if it had not been claimed. */
function later(cause: string, { uncertain }: ClaimedMessage): SendOutcome {
  return { kind: "later", cause, waitMs: 0, counts: false, uncertain, pausesChannel: false };
}

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
