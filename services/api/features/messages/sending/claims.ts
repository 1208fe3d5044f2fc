import type { Database } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import * as sql from "./claims.queries.ts";
import type { SendOutcome } from "./outcome.ts";

/** A message that is ours to send. */
export interface ClaimedMessage {
  id: string;
  entityId: number;
  channelId: string;
  text: string;
  /** What its author is called; null for one who is not known. */
  author: string | null;
  createdAt: Date;
  queuedAt: Date;
  /** When the attempt before began; null for the first one. */
  attemptedBefore: Date | null;
  /** Number of this attempt, from 1. */
  number: number;
  /** Whether an earlier attempt may have reached the provider, so that it must be checked first. */
  uncertain: boolean;
  traceparent: string | null;
  claim: string;
  /** Time of `performance.now()` until which the attempt may begin; later another process may have the row. */
  sendBefore: number;
}

export interface ClaimOptions {
  /** Maximum number of messages at once, each of another channel. */
  max: number;
  /** Longest time of one attempt, milliseconds. */
  attemptMs: number;
  /** Milliseconds after which another may take the row; more than an attempt. */
  leaseMs: number;
  /** Shortest time between two messages of a channel, milliseconds. */
  intervalMs: number;
}

/** The two sides of the queue: a message goes to one sender at a time, over all processes, and comes back with an end. */
export class Claims {
  constructor(private readonly db: Database, private readonly options: ClaimOptions) {}

  async take(): Promise<ClaimedMessage[]> {
    const { max, attemptMs, leaseMs, intervalMs } = this.options;
    const began = performance.now();
    const claim = crypto.randomUUID();
    const values = [max, claim, leaseMs, intervalMs];
    // change-ok -- the queue's own state
    const rows = await retryingTransaction(this.db, (tx) => tx.query(sql.claim, values));
    return rows.map((row) => ({
      id: row.id,
      entityId: row.entity_id,
      channelId: row.channel_id,
      text: row.text,
      author: row.author,
      createdAt: row.created_at,
      queuedAt: row.queued_at,
      attemptedBefore: row.attempted_before,
      number: row.attempts,
      uncertain: row.uncertain,
      traceparent: row.traceparent,
      claim,
      sendBefore: began + leaseMs - attemptMs,
    }));
  }

  /** Keeps how an attempt ended; false when another process had the row meanwhile. */
  async settle({ id, claim, channelId }: ClaimedMessage, outcome: SendOutcome): Promise<boolean> {
    const { db, options: { intervalMs } } = this;
    const pauseMs = outcome.kind === "later" && outcome.pausesChannel ? outcome.waitMs : 0;
    // From the end of the attempt, since the provider counts from when it took the message.
    await db.query(sql.pauseChannel, [channelId, Math.max(intervalMs, pauseMs)]);
    switch (outcome.kind) {
      case "sent":
        return (await db.query(sql.recordSent, [id, outcome.providerId])).length > 0;
      case "failed": {
        const values = [id, claim, outcome.cause, outcome.uncertain];
        return (await db.query(sql.recordFailed, values)).length > 0;
      }
      case "later": {
        const values = [id, claim, outcome.cause, outcome.waitMs];
        const more = [outcome.counts ? 0 : 1, outcome.uncertain];
        return (await db.query(sql.recordLater, [...values, ...more])).length > 0;
      }
    }
  }

  /** Milliseconds until the next message may be sent; undefined when none waits. */
  async nextDue(): Promise<number | undefined> {
    const [row] = await this.db.query(sql.nextDue);
    return row && Math.max(0, Math.ceil(row.wait_ms));
  }

  async queue(): Promise<{ pending: number; oldest: number; failed: number }> {
    await this.db.query(sql.forgetTurns);
    return (await this.db.query(sql.queue))[0]!;
  }
}
