import type { Database } from "#metadata/postgres/database.ts";
import { retryingStatement } from "#metadata/postgres/retrying.ts";
import type { Claim, ClaimedItem, EndedAttempt, OutboxQueue } from "#platform/outbox/queue.ts";
import * as sql from "./queue.queries.ts";

/** A message that is ours to send. */
export interface ClaimedMessage extends ClaimedItem {
  id: string;
  entityId: number;
  channelId: string;
  text: string;
  /** What its author is called; null for one who is not known. */
  author: string | null;
  createdAt: Date;
  /** When the attempt before began; null for the first one. */
  attemptedBefore: Date | null;
  /** Whether an earlier attempt may have reached the provider, so that it must be checked first. */
  uncertain: boolean;
  claim: string;
}

export interface MessageQueueOptions {
  /** Longest time of one attempt, milliseconds. */
  attemptMs: number;
  /** Milliseconds after which another may take the row; more than an attempt. */
  leaseMs: number;
  /** Shortest time between two messages of a channel, milliseconds. */
  intervalMs: number;
}

type EndedMessage = EndedAttempt<ClaimedMessage>;

/** Messages that people posted: of each channel of the provider one at a time, in order, over all processes. */
export class MessageQueue implements OutboxQueue<ClaimedMessage> {
  /** Why the last attempt failed; null once one succeeded, or nothing waits. */
  #problem: string | null = null;

  constructor(private readonly db: Database, private readonly options: MessageQueueOptions) {}

  async claim(max: number): Promise<Claim<ClaimedMessage>> {
    const { attemptMs, leaseMs } = this.options;
    const sendBefore = performance.now() + leaseMs - attemptMs;
    const claim = crypto.randomUUID();
    const rows = await retryingStatement(this.db, sql.claim, [max, claim, leaseMs]);
    const items = rows.map((row) => itemOf(row, { claim, sendBefore }));
    return { items, waitMs: await this.#nextDue(), problem: this.#problem, paused: false };
  }

  async #nextDue(): Promise<number | undefined> {
    const [row] = await this.db.query(sql.nextDue);
    if (!row) this.#problem = null;
    return row && Math.max(0, row.wait_ms);
  }

  async settle(ended: EndedMessage[]): Promise<void> {
    const outcomes = ended.map((one) => outcomeOf(one, this.options.intervalMs));
    await retryingStatement(this.db, sql.record, [JSON.stringify(outcomes)]);
    const { outcome } = ended.at(-1)!;
    this.#problem = outcome.kind === "delivered" ? null : outcome.cause;
  }

  async size(): Promise<sql.MessageQueueSize> {
    await this.db.query(sql.forgetTurns);
    return (await this.db.query(sql.queue))[0]!;
  }
}

function itemOf(
  row: sql.ClaimedRow,
  claimed: Pick<ClaimedMessage, "claim" | "sendBefore">,
): ClaimedMessage {
  return {
    id: row.id,
    entityId: row.entity_id,
    channelId: row.channel_id,
    text: row.text,
    author: row.author,
    createdAt: row.created_at,
    attemptedBefore: row.attempted_before,
    number: row.attempts,
    uncertain: row.uncertain,
    traceparent: row.traceparent,
    spentMs: 0,
    ageMs: row.age_ms,
    ...claimed,
  };
}

const states = { delivered: "SENT", pending: "PENDING_SEND", failed: "ERROR_SENDING" } as const;

/** The pause counts from the end of the attempt, since the provider counts from when it took the message. */
function outcomeOf({ item, outcome, result }: EndedMessage, intervalMs: number) {
  const pauses = outcome.kind === "retry" && outcome.pausesChannel;
  return {
    id: item.id,
    claim: item.claim,
    state: states[result.state],
    provider_id: outcome.kind === "delivered" ? outcome.receipt : null,
    cause: result.reason,
    wait_ms: result.waitMs,
    uncounted: result.counts ? 0 : 1,
    uncertain: isUncertain({ item, outcome }),
    pause_ms: Math.max(intervalMs, pauses ? result.waitMs : 0),
  };
}

/** Whether the provider may have the message without our knowing. */
function isUncertain({ item, outcome }: Pick<EndedMessage, "item" | "outcome">): boolean {
  if (outcome.kind === "delivered") return false;
  return outcome.kind === "unsent" ? item.uncertain : outcome.uncertain ?? true;
}
