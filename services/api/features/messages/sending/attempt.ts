import { messageOf } from "#kit/errors.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { textsIn } from "#platform/messages/texts.ts";
import type { Outcome } from "#platform/outbox/outcome.ts";
import {
  outcomeOfFailure,
  ProviderFailure,
} from "#services/api/features/messages/provider/failure.ts";
import type { ChatProvider } from "#services/api/features/messages/provider/port.ts";
import type { ClaimedMessage } from "./queue.ts";
import { posted } from "./render.ts";
import { subjectOf } from "./subject.ts";

export interface AttemptDeps extends Pick<Context, "db" | "baseUrl" | "config" | "log"> {
  provider: ChatProvider;
  /** Attempts that a message has. */
  attempts: number;
}

/** How far the provider's clock may be from ours, with the time of an attempt, milliseconds. */
const skewMs = 120_000;
const ownFailure = "an internal error, see the log";

/**
 * One attempt to send a message. One that may have been sent before is looked for at the provider first. Rejects
 * when the metadata store is not available; an error of our own fails only this message.
 */
export async function attempt(
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
