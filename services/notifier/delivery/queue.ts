import type { AlertMessage } from "#contract/notifications.ts";
import { backoff } from "#kit/retry.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingStatement, retryingTransaction } from "#metadata/postgres/retrying.ts";
import type {
  Claim,
  ClaimedItem,
  EndedAttempt,
  OutboxQueue,
  Outcome,
  Unsent,
} from "#platform/outbox/queue.ts";
import * as sql from "./queue.queries.ts";

/** A delivery that is ours to send. */
export interface ClaimedDelivery extends ClaimedItem {
  id: string;
  recipient: string;
  /** Null when it is gone, which housekeeping does not do to a row that waits. */
  message: AlertMessage | null;
  claim: string;
  claimedAt: Date;
  /** It holds the channel's turn, which its outcome ends. */
  turn: boolean;
}

interface DeliveryQueueOptions {
  channel: string;
  recipients: readonly string[];
  /** Shortest time between two sends, milliseconds. */
  intervalMs: number;
  /** Longest time of one attempt, milliseconds. */
  attemptMs: number;
  /** Milliseconds after which another may take the row; more than an attempt. */
  leaseMs: number;
  pause: PauseRules;
}

/** Milliseconds that a claimed turn is kept free for its send to end, at most. */
export const turnMs = 1_000;

type EndedDelivery = EndedAttempt<ClaimedDelivery>;

/**
 * Deliveries of one channel. Of a channel with a rate, or whose last attempt failed, one row is claimed together with
 * the channel's turn: no other process sends until its outcome was recorded. Times are those of the metadata store.
 */
export class DeliveryQueue implements OutboxQueue<ClaimedDelivery> {
  constructor(private readonly db: Database, private readonly options: DeliveryQueueOptions) {}

  async open(): Promise<void> {
    await this.db.query(sql.ensureChannel, [this.options.channel]);
  }

  async claim(max: number): Promise<Claim<ClaimedDelivery>> {
    const { channel, recipients, intervalMs, attemptMs, leaseMs } = this.options;
    const began = performance.now();
    const claim = crypto.randomUUID();
    const values = [channel, recipients, max, claim, leaseMs, intervalMs, intervalMs + turnMs];
    const rows = await retryingStatement(this.db, sql.claim, values);
    const gate = rows[0]!;
    const claimed = rows.filter(isClaimed);
    const { turn } = gate;
    const sendBefore = began + (turn ? turnMs / 2 : leaseMs - attemptMs);
    const problem = gate.failures > 0 ? gate.pause_cause ?? "an attempt failed" : null;
    return {
      items: await this.#withMessages(claimed, { claim, sendBefore, turn }),
      waitMs: waitOf(gate, claimed.length),
      problem,
      paused: gate.paused === true,
    };
  }

  /** Read after the claim, which may have waited until somebody else changed a message. */
  async #withMessages(
    rows: sql.ClaimedRow[],
    claimed: Pick<ClaimedDelivery, "claim" | "sendBefore" | "turn">,
  ): Promise<ClaimedDelivery[]> {
    if (rows.length === 0) return [];
    const keys = [rows.map((row) => row.event_id), rows.map((row) => row.kind)];
    const found = await this.db.query(sql.messages, keys);
    const known = new Map(found.map((row) => [`${row.event_id} ${row.kind}`, row]));
    return rows.map((row) => {
      const { message = null, traceparent = null } = known.get(`${row.event_id} ${row.kind}`) ?? {};
      return {
        id: row.id,
        recipient: row.recipient,
        message,
        traceparent,
        number: row.attempts,
        spentMs: row.spent_ms,
        ageMs: 0,
        claimedAt: row.claimed_at,
        ...claimed,
      };
    });
  }

  /** What delivered or failed for its own reasons is one statement; what says something of the channel locks it first. */
  async settle(ended: EndedDelivery[]): Promise<void> {
    const { channel } = this.options;
    const values = [outcomesOf(ended), channel];
    if (!ended.some(({ item, outcome }) => item.turn || pausesChannel(outcome))) {
      const [state] = await retryingStatement(this.db, sql.record, values);
      if (!state?.failures) return;
    }
    // change-ok -- the queue's own state
    await retryingTransaction(this.db, async (tx) => {
      await this.#evaluate(tx, ended);
      await tx.query(sql.record, values);
      await this.#endTurns(tx, ended);
    });
  }

  /** The channel's row is locked before rows of the queue. */
  async #evaluate(tx: Transaction, ended: EndedDelivery[]): Promise<void> {
    const { channel, pause } = this.options;
    const [row] = await tx.query(sql.channelState, [channel]);
    const { now, ...before } = row!;
    const attempts = ended.map(({ item, outcome }) => ({ claimedAt: item.claimedAt, outcome }));
    const after = stateAfter(before, attempts, pause, now);
    if (after === before) return;
    const { failures, changedAt, pausedUntil, cause } = after;
    await tx.query(sql.setChannelState, [channel, failures, changedAt, pausedUntil, cause]);
  }

  async #endTurns(tx: Transaction, ended: EndedDelivery[]): Promise<void> {
    const { channel, intervalMs } = this.options;
    for (const { item, endedAt } of ended) {
      if (!item.turn) continue;
      const left = Math.max(0, intervalMs - (performance.now() - endedAt));
      await tx.query(sql.endTurn, [channel, item.claim, left]);
    }
  }

  async size(): Promise<sql.QueueRow> {
    return (await this.db.query(sql.queue, [this.options.channel]))[0]!;
  }
}

function isClaimed(row: sql.ClaimRow): row is sql.ClaimedRow {
  return row.id !== null;
}

/** At once while there is more, or when another process took the turn meanwhile. */
function waitOf({ wait_ms, next_ms, due, max_rows }: sql.GateRow, claimed: number) {
  if (wait_ms > 0) return wait_ms;
  if (claimed >= max_rows || due > claimed) return 0;
  return next_ms === null ? undefined : Math.max(0, next_ms);
}

function outcomesOf(ended: EndedDelivery[]): string {
  return JSON.stringify(ended.map(({ item, outcome, result, durationMs }) => ({
    id: item.id,
    number: item.number,
    claim: item.claim,
    outcome: outcome.kind,
    status: "status" in outcome ? outcome.status ?? null : null,
    cause: "cause" in outcome ? outcome.cause.slice(0, 1_000).toWellFormed() : null,
    duration_ms: Math.round(durationMs),
    state: result.state,
    reason: result.reason?.slice(0, 2_000).toWellFormed() ?? null,
    wait_ms: result.waitMs,
    spent_ms: Math.round(result.spentMs),
  })));
}

/** An attempt, as far as it says something about its channel. */
export interface ChannelAttempt {
  /** When it was claimed, by the clock of the metadata store. */
  claimedAt: Date;
  outcome: Outcome | Unsent;
}

/** Milliseconds of the first pause, and of the longest. */
interface PauseRules {
  initialMs: number;
  maxMs: number;
}

/**
 * What attempts, in the order of their ends, say of the channel. Those that began before its state
 * changed say nothing new: a hundred that fail together are one failure.
 */
export function stateAfter(
  state: sql.ChannelState,
  attempts: ChannelAttempt[],
  rules: PauseRules,
  now: Date,
  random = Math.random,
): sql.ChannelState {
  return attempts.reduce((before, attempt) => {
    const { outcome, claimedAt } = attempt;
    const isNewer = claimedAt > before.changedAt;
    if (pausesChannel(outcome)) {
      const failures = before.failures + (isNewer ? 1 : 0);
      const limits = { initial: rules.initialMs, max: rules.maxMs };
      const wait = isNewer || outcome.afterMs
        ? outcome.afterMs ?? backoff(failures, limits, random)
        : 0;
      const until = Math.max(now.getTime() + wait, before.pausedUntil?.getTime() ?? 0);
      return {
        failures,
        changedAt: isNewer ? now : before.changedAt,
        pausedUntil: new Date(until),
        cause: outcome.cause,
      };
    }
    const answered = outcome.kind === "delivered" || outcome.kind === "refused";
    if (!answered || before.failures === 0 || !isNewer) return before;
    return { failures: 0, changedAt: now, pausedUntil: null, cause: null };
  }, state);
}

/** Whether the attempt failed because of its channel. */
function pausesChannel(outcome: Outcome | Unsent): outcome is Outcome & { kind: "retry" } {
  return outcome.kind === "retry" && outcome.pausesChannel;
}
