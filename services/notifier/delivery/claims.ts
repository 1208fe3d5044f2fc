import type { AlertMessage } from "#contract/notifications.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import * as sql from "./claims.queries.ts";
import {
  type Attempt,
  type ChannelState,
  type DeliveryOutcome,
  outcomeOf,
  type RetryRules,
  stateAfter,
} from "./outcome.ts";

/** A row that is ours to send. */
export interface ClaimedDelivery {
  deliveryId: string;
  recipient: string;
  /** Null when it is gone, which housekeeping does not do to a row that waits. */
  message: AlertMessage | null;
  /** W3C trace context of what changed the alert. */
  traceparent: string | null;
  /** Number of this attempt, from 1. */
  number: number;
  spentMs: number;
  claim: string;
  claimedAt: Date;
  /** Time of `performance.now()` until which the send may begin; later another process may have the row. */
  sendBefore: number;
}

export interface Claim {
  rows: ClaimedDelivery[];
  /** Milliseconds after which to ask again; undefined: at the next wake-up. */
  waitMs: number | undefined;
  /** Nothing is sent now, since the receiver failed. */
  paused: boolean;
  /** Why the receiver's last attempts failed; null once it has answered again. */
  pauseReason: string | null;
  /** The sender of this row holds the channel's turn, and has to end it. */
  turn: boolean;
}

export interface ClaimOptions {
  channel: string;
  recipients: readonly string[];
  /** Shortest time between two sends, milliseconds. */
  intervalMs: number;
  /** Longest time of one attempt, milliseconds. */
  timeoutMs: number;
  /** Milliseconds after which another may take the row; more than the timeout. */
  leaseMs: number;
}

/** Milliseconds that a claimed turn is kept free for its send to end, at most. */
export const turnMs = 1_000;

/**
 * The two sides of the queue: rows go to one sender at a time, over all processes, and come back with
 * an outcome. Times are those of the metadata store.
 */
export class Claims {
  constructor(private readonly db: Database, private readonly options: ClaimOptions) {}

  async ensureChannel(): Promise<void> {
    await this.db.query(sql.ensureChannel, [this.options.channel]);
  }

  /**
   * Claims at most `limit` rows. Of a channel with a rate, or whose last attempt failed, one row is
   * claimed together with the channel's turn: no other process sends until its end was recorded.
   */
  take(limit: number): Promise<Claim> {
    const { channel, recipients, intervalMs, timeoutMs, leaseMs } = this.options;
    return retryingTransaction(this.db, async (tx) => {
      const began = performance.now();
      const [gate] = await tx.query<GateRow>(sql.gate, [channel]);
      const shut = gate!.wait_ms > 0;
      if (shut) return closed(gate!);
      const turn = intervalMs > 0 || gate!.failures > 0;
      const claim = crypto.randomUUID();
      const max = turn ? 1 : limit;
      const rows = await tx.query(sql.claim, [channel, recipients, max, claim, leaseMs]);
      if (turn && rows.length > 0) {
        await tx.query(sql.takeTurn, [channel, intervalMs + turnMs, claim]);
      }
      const sendBefore = began + (turn ? turnMs / 2 : leaseMs - timeoutMs);
      const claimed = await withMessages(tx, rows, { claim, sendBefore });
      const waitMs = rows.length === max ? 0 : await this.#nextDue(tx);
      return { rows: claimed, waitMs, paused: false, pauseReason: pauseReasonOf(gate!), turn };
    });
  }

  /** What `take` would say without claiming anything, in one statement; null when there may be a row to claim. */
  async peek(): Promise<Claim | null> {
    const { channel, recipients, intervalMs } = this.options;
    const [found] = await this.db.query(sql.peek, [channel, recipients]);
    if (!found) return null;
    if (found.wait_ms > 0) return closed(found);
    if (found.due) return null;
    const waitMs = found.next_ms === null ? undefined : Math.max(0, found.next_ms);
    const turn = intervalMs > 0 || found.failures > 0;
    return { rows: [], waitMs, paused: false, pauseReason: pauseReasonOf(found), turn };
  }

  async #nextDue(tx: Transaction): Promise<number | undefined> {
    const { channel, recipients } = this.options;
    const rows = await tx.query<{ wait_ms: number }>(sql.nextDue, [channel, recipients]);
    return rows[0] && Math.max(0, rows[0].wait_ms);
  }

  /** Writes how attempts ended, what becomes of their rows, and what it says of the channel. */
  async settle(attempts: EndedAttempt[], rules: RetryRules): Promise<DeliveryOutcome[]> {
    const { channel, intervalMs } = this.options;
    const outcomes = attempts.map((attempt) => outcomeOf(attempt, rules));
    await retryingTransaction(this.db, async (tx) => {
      await this.#evaluate(tx, attempts, rules);
      await tx.query(sql.record, [outcomesOf(attempts, outcomes)]);
      for (const { claim, turn, endedAt } of attempts) {
        if (!turn) continue;
        const left = Math.max(0, intervalMs - (performance.now() - endedAt));
        await tx.query(sql.endTurn, [channel, claim, left]);
      }
    });
    return outcomes;
  }

  /** The channel's row is locked before rows of the queue, as when they are claimed. */
  async #evaluate(tx: Transaction, attempts: EndedAttempt[], rules: RetryRules): Promise<void> {
    const { channel } = this.options;
    const [row] = await tx.query<StateRow>(sql.channelState, [channel]);
    const before: ChannelState = {
      failures: row!.failures,
      changedAt: row!.changed_at,
      pausedUntil: row!.paused_until,
      cause: row!.pause_cause,
    };
    const after = stateAfter(before, attempts, rules, row!.now);
    if (after === before) return;
    const { failures, changedAt, pausedUntil, cause } = after;
    await tx.query(sql.setChannelState, [channel, failures, changedAt, pausedUntil, cause]);
  }

  /** How many deliveries wait, and the age of the oldest in seconds. */
  async queue(): Promise<{ pending: number; oldest: number }> {
    type QueueRow = { pending: number; oldest: number };
    return (await this.db.query<QueueRow>(sql.queue, [this.options.channel]))[0]!;
  }
}

/** An attempt that ended here. */
export interface EndedAttempt extends Attempt {
  turn: boolean;
  /** Of `performance.now()`. */
  endedAt: number;
}

interface GateRow extends Record<string, unknown> {
  failures: number;
  pause_cause: string | null;
  paused: boolean | null;
  wait_ms: number;
}

interface MessageRow extends Record<string, unknown> {
  event_id: number;
  kind: string;
  message: string | null;
  traceparent: string | null;
}

interface StateRow extends Record<string, unknown> {
  failures: number;
  changed_at: Date;
  paused_until: Date | null;
  pause_cause: string | null;
  now: Date;
}

function closed(gate: GateRow): Claim {
  const paused = gate.paused === true;
  return { rows: [], waitMs: gate.wait_ms, paused, pauseReason: pauseReasonOf(gate), turn: false };
}

function pauseReasonOf(gate: GateRow): string | null {
  return gate.failures > 0 ? gate.pause_cause ?? "an attempt failed" : null;
}

async function withMessages(
  tx: Transaction,
  rows: sql.ClaimRow[],
  claimed: Pick<ClaimedDelivery, "claim" | "sendBefore">,
): Promise<ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const keys = [rows.map((row) => row.event_id), rows.map((row) => row.kind)];
  const found = await tx.query<MessageRow>(sql.messages, keys);
  const known = new Map(found.map((row) => [`${row.event_id} ${row.kind}`, row]));
  return rows.map((row) => {
    const stored = known.get(`${row.event_id} ${row.kind}`);
    const text = stored?.message ?? null;
    return {
      deliveryId: row.id,
      recipient: row.recipient,
      message: text === null ? null : JSON.parse(text) as AlertMessage,
      traceparent: stored?.traceparent ?? null,
      number: row.attempts,
      spentMs: row.spent_ms,
      claimedAt: row.claimed_at,
      ...claimed,
    };
  });
}

function outcomesOf(attempts: EndedAttempt[], outcomes: DeliveryOutcome[]): string {
  return JSON.stringify(attempts.map(({ outcome, ...attempt }, i) => ({
    id: attempt.deliveryId,
    number: attempt.number,
    claim: attempt.claim,
    outcome: outcome.kind,
    status: "status" in outcome ? outcome.status ?? null : null,
    cause: outcome.kind === "delivered" ? null : outcome.cause.slice(0, 1_000).toWellFormed(),
    duration_ms: Math.round(attempt.durationMs),
    state: outcomes[i]!.state,
    reason: outcomes[i]!.reason?.slice(0, 2_000).toWellFormed() ?? null,
    wait_ms: outcomes[i]!.waitMs,
    spent_ms: Math.round(outcomes[i]!.spentMs),
  })));
}
