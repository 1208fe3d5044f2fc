import { lockEntities } from "#metadata/catalogue/entities.ts";
import { messageOf } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { ShortCache } from "#kit/short-cache.ts";
import { bounded } from "#kit/text.ts";
import { isMetadataDown } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import type { Outcome } from "#platform/outbox/outcome.ts";
import type { MessageMetrics } from "#services/chat/metrics.ts";
import { ProviderFailure } from "#platform/chat/failure.ts";
import type { ChatProfile, ChatProvider } from "#platform/chat/port.ts";
import * as queue from "./queue.queries.ts";

interface TranslatorDeps extends Pick<Context, "db" | "log"> {
  provider: ChatProvider;
  profiles: ShortCache<ChatProfile | null>;
  metrics: MessageMetrics;
}

/** Milliseconds after which an event of a message that is still on its way is looked at again. */
const expectedMs = 2_000;
const causeMax = 500;

/**
 * Makes a reply, or the text of one, of an event of a thread; forgets one of a thread that is not known. A failure is
 * the event's own. Rejects only when the metadata store is not available.
 */
export async function translate(deps: TranslatorDeps, event: queue.EventRow): Promise<Outcome> {
  try {
    return await takeIn(deps, event);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) {
      if (isMetadataDown(error)) throw error;
      return { kind: "retry", cause: causeOf(error), pausesChannel: false };
    }
    const limited = error.kind === "limited";
    const { afterMs } = limited ? error.given : {};
    return {
      kind: "retry",
      cause: causeOf(error),
      afterMs,
      pausesChannel: false,
      counts: !limited,
    };
  }
}

function causeOf(error: unknown): string {
  return bounded(messageOf(error), causeMax);
}

async function takeIn(deps: TranslatorDeps, event: queue.EventRow): Promise<Outcome> {
  const { db, metrics } = deps;
  const { id, root_id: rootId, entity_id: entityId } = event;
  if (rootId === null || entityId === null) return await withoutRoot(deps, event);
  const profile = event.known ? null : await profileOf(deps, event.user_id);
  const createdMs = timeOf(event.provider_id);
  const reply = {
    rootId,
    id: uuidv7(createdMs),
    text: plainText(event.text),
    author: profile?.name ?? null,
    avatar: profile?.avatar ?? null,
    createdAt: new Date(createdMs),
    event,
  };
  // change-ok -- what people wrote at the provider, without events of the feed
  await retryingTransaction(db, async (tx) => {
    if (!await queue.lockEvent(tx, id)) return;
    // A purged entity has taken its messages along; then nothing is written.
    await lockEntities(tx, [entityId]);
    await queue.writeReply(tx, reply);
    await queue.forgetEvent(tx, id);
  });
  metrics.event("taken");
  return { kind: "delivered" };
}

/** A reply may come before what it answers is known to be sent. */
async function withoutRoot(
  { db, metrics }: TranslatorDeps,
  event: queue.EventRow,
): Promise<Outcome> {
  const { id } = event;
  if (event.expected) {
    const cause = "the message that it answers is still being sent";
    return { kind: "retry", cause, afterMs: expectedMs, pausesChannel: false, counts: false };
  }
  await queue.forgetEvent(db, id);
  metrics.event("filtered");
  return { kind: "delivered" };
}

async function profileOf(
  { provider, profiles }: TranslatorDeps,
  userId: string | null,
): Promise<ChatProfile | null> {
  if (userId === null) return null;
  return await profiles.get(userId, () => provider.profile(userId));
}

const escapes = new Map([["&lt;", "<"], ["&gt;", ">"], ["&amp;", "&"]]);

/**
 * The provider's markup as people read it: links with their address, names of channels, mentions; formatting stays as
 * it was typed.
 */
export function plainText(markup: string): string {
  return markup.replaceAll(/<([^<>]*)>/g, (_, inner: string) => readable(inner))
    .replaceAll(/&(?:lt|gt|amp);/g, (escape) => escapes.get(escape)!);
}

function readable(inner: string): string {
  const bar = inner.indexOf("|");
  const [target, label] = bar < 0 ? [inner, ""] : [inner.slice(0, bar), inner.slice(bar + 1)];
  if (target.startsWith("@")) return `@${label || target.slice(1)}`;
  if (target.startsWith("#")) return `#${label || target.slice(1)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1)}`;
  return label === "" || label === target ? target : `${label} (${target})`;
}

/** Milliseconds of an id of the provider. */
function timeOf(providerId: string): number {
  return Math.floor(Number(providerId) * 1_000);
}
