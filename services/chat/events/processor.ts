import { trace } from "@opentelemetry/api";
import { ShortCache } from "#kit/short-cache.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { retryingStatement } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import { Outbox, recordMs } from "#platform/outbox/outbox.ts";
import type { RetryPolicy } from "#platform/outbox/outcome.ts";
import type {
  Claim,
  ClaimedItem,
  EndedAttempt,
  OutboxQueue,
  QueueSize,
} from "#platform/outbox/queue.ts";
import type { MessageMetrics } from "#services/chat/metrics.ts";
import { answerMs } from "#platform/chat/call.ts";
import type { ChatProfile, ChatProvider } from "#platform/chat/port.ts";
import { translate } from "./translator.ts";
import { claimEvents, countEvents, type EventRow, recordEvents } from "./queue.queries.ts";

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
