import { trace } from "@opentelemetry/api";
import { messageOf } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { ShortCache } from "#kit/short-cache.ts";
import { bounded } from "#kit/text.ts";
import { lockEntities } from "#metadata/catalogue/entities.ts";
import { type Database, isMetadataDown } from "#metadata/postgres/database.ts";
import { retryingStatement, retryingTransaction } from "#metadata/postgres/retrying.ts";
import { answerMs } from "#platform/chat/call.ts";
import { type ChatProfile, type ChatProvider, ProviderFailure } from "#platform/chat/port.ts";
import type { Context } from "#platform/context.ts";
import { Outbox, recordMs } from "#platform/outbox/outbox.ts";
import type {
  Claim,
  ClaimedItem,
  EndedAttempt,
  OutboxQueue,
  Outcome,
  QueueSize,
  RetryPolicy,
} from "#platform/outbox/queue.ts";
import type { MessageMetrics } from "#services/chat/metrics.ts";
import {
  claimEvents,
  countEvents,
  type EventRow,
  forgetEvent,
  lockEvent,
  recordEvents,
  writeReply,
} from "./queue.queries.ts";

interface ProcessorOptions extends Pick<Context, "db" | "wakeups" | "clock" | "log"> {
  provider: ChatProvider;
  metrics: MessageMetrics;
  /** Of the cache of profiles. */
  instruments: Context["metrics"];
  /** Milliseconds before the second attempt; each further wait is longer by as much. */
  waitMs?: number;
  pollMs?: number;
}

/** Attempts to take an event in; then it waits for an operator. */
const eventAttempts = 5;
/** Profiles that are stored, and for how many milliseconds. */
const maxProfiles = 5_000;
const profileMs = 600_000;
/** Events at once. */
const concurrency = 4;
/** One request of the provider, and a transaction. */
const attemptMs = answerMs + 10_000;
const tracer = trace.getTracer("tributary.messages");

/** The outbox whose channel is the catalogue: turns thread events of the provider into replies. */
export function eventProcessor(options: ProcessorOptions): Outbox<ClaimedEvent> {
  const { db, clock, instruments, metrics, waitMs = 1_000 } = options;
  const profiles = new ShortCache<ChatProfile | null>({
    name: "chat-profiles",
    ttlMs: profileMs,
    maxEntries: maxProfiles,
    clock,
    metrics: instruments,
  });
  const deps = { ...options, profiles };
  return new Outbox({
    ...options,
    name: "chat event processor",
    queue: new EventQueue(db, attemptMs + recordMs),
    channel: { concurrency, send: (event) => translate(deps, event) },
    policy: { ...increasingWaits(waitMs), attemptMs, drainMs: recordMs },
    span: {
      tracer,
      name: "take in reply",
      prefix: "tributary.chat",
      attributes: ({ id }) => ({ event: id }),
    },
    metrics: metrics.events,
    wakeup: "chat_event",
  });
}

function increasingWaits(waitMs: number): RetryPolicy {
  return {
    waitMs: (number) => waitMs * number,
    giveUp: ({ number }, { cause, counts }) =>
      counts !== false && number >= eventAttempts ? cause : null,
  };
}

/** An event that is ours to take in. */
type ClaimedEvent = ClaimedItem & EventRow;

/** Events of the provider. A claimed event is due again when its lease ends; taking it in removes it. */
class EventQueue implements OutboxQueue<ClaimedEvent> {
  constructor(private readonly db: Database, private readonly leaseMs: number) {}

  async claim(max: number): Promise<Claim<ClaimedEvent>> {
    const rows = await retryingStatement(this.db, claimEvents, [max, this.leaseMs]);
    const items = rows.map((row): ClaimedEvent => ({
      ...row,
      number: row.attempts + 1,
      spentMs: 0,
      ageMs: 0,
      sendBefore: Infinity,
    }));
    return { items, waitMs: undefined, problem: null, paused: false };
  }

  async settle(ended: EndedAttempt<ClaimedEvent>[]): Promise<void> {
    const left = ended.filter(({ result }) => result.state !== "delivered");
    if (left.length === 0) return;
    const outcomes = left.map(({ item, result: { state, waitMs, counts, reason } }) => ({
      id: item.id,
      state: state === "pending" ? "PENDING" : "PROCESSING_FAILED",
      wait_ms: waitMs,
      cause: reason,
      counted: counts ? 1 : 0,
    }));
    await retryingStatement(this.db, recordEvents, [JSON.stringify(outcomes)]);
  }

  size(): Promise<QueueSize> {
    return countEvents(this.db);
  }
}

interface TranslatorDeps extends Pick<ProcessorOptions, "db" | "provider" | "metrics"> {
  profiles: ShortCache<ChatProfile | null>;
}

/**
 * Makes a reply, or the text of one, of an event of a thread; forgets one of a thread that is not known. A failure is
 * the event's own. Rejects only when the metadata store is not available.
 */
async function translate(deps: TranslatorDeps, event: EventRow): Promise<Outcome> {
  try {
    return await takeIn(deps, event);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) {
      if (isMetadataDown(error)) throw error;
      return { kind: "retry", cause: causeOf(error), pausesChannel: false };
    }
    const limited = error.kind === "limited";
    const { afterMs } = limited ? error.given : {};
    const cause = causeOf(error);
    return { kind: "retry", cause, afterMs, pausesChannel: false, counts: !limited };
  }
}

/** Longest cause of a failure that is stored, in characters. */
const maxCause = 500;

function causeOf(error: unknown): string {
  return bounded(messageOf(error), maxCause);
}

async function takeIn(deps: TranslatorDeps, event: EventRow): Promise<Outcome> {
  const { db, metrics, provider, profiles } = deps;
  const { id, root_id: rootId, entity_id: entityId, user_id: userId } = event;
  if (rootId === null || entityId === null) return await withoutRoot(deps, event);
  const profile = event.known || userId === null
    ? null
    : await profiles.get(userId, () => provider.profile(userId));
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
    if (!await lockEvent(tx, id)) return;
    // A purged entity has taken its messages along; then nothing is written.
    await lockEntities(tx, [entityId]);
    await writeReply(tx, reply);
    await forgetEvent(tx, id);
  });
  metrics.event("taken");
  return { kind: "delivered" };
}

/** Milliseconds after which an event of a message that is still on its way is looked at again. */
const expectedMs = 2_000;

/** A reply may come before what it answers is known to be sent. */
async function withoutRoot(
  { db, metrics }: TranslatorDeps,
  event: EventRow,
): Promise<Outcome> {
  const { id } = event;
  if (event.expected) {
    const cause = "the message that it answers is still being sent";
    return { kind: "retry", cause, afterMs: expectedMs, pausesChannel: false, counts: false };
  }
  await forgetEvent(db, id);
  metrics.event("filtered");
  return { kind: "delivered" };
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
