import type { Database } from "#metadata/postgres/database.ts";
import { retryingStatement } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type {
  Claim,
  ClaimedItem,
  EndedAttempt,
  OutboxQueue,
  QueueSize,
} from "#platform/outbox/queue.ts";

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

interface MessageQueueOptions {
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
    const rows = await retryingStatement(this.db, claimStatement, [max, claim, leaseMs]);
    const items = rows.map((row) => ({ ...row, spentMs: 0, claim, sendBefore }));
    return { items, waitMs: await this.#nextDue(), problem: this.#problem, paused: false };
  }

  async #nextDue(): Promise<number | undefined> {
    const [row] = await this.db.query(nextDue);
    if (!row) this.#problem = null;
    return row && Math.max(0, row.wait_ms);
  }

  async settle(ended: EndedMessage[]): Promise<void> {
    const outcomes = ended.map((one) => outcomeOf(one, this.options.intervalMs));
    await retryingStatement(this.db, record, [JSON.stringify(outcomes)]);
    const { outcome } = ended.at(-1)!;
    this.#problem = outcome.kind === "delivered" ? null : outcome.cause;
  }

  async size(): Promise<QueueSize> {
    await this.db.query(forgetTurns);
    return (await this.db.query(queue))[0]!;
  }
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

/**
 * $1 most rows, $2 claim, $3 milliseconds until it expires: of each channel that may be written to now the oldest message
 * that is due, unclaimed or with an expired claim, together with the channel's turn: nothing else is sent to it until the
 * outcome is recorded, or the claim expires. From here on the message may have come to the provider.
 */
const claimStatement = statement<Omit<ClaimedMessage, "spentMs" | "claim" | "sendBefore">>(
  "message-claim",
)`
  WITH first AS (
    SELECT DISTINCT ON (channel_id) id
      FROM message
     WHERE state = 'PENDING_SEND' AND due_at <= now()
       AND (claimed_until IS NULL OR claimed_until <= now())
     ORDER BY channel_id, id),
  due AS MATERIALIZED (
    SELECT m.id, m.channel_id, m.uncertain, m.attempted_at
      FROM message m
     WHERE m.id IN (SELECT id FROM first) AND m.state = 'PENDING_SEND' AND m.due_at <= now()
       AND (m.claimed_until IS NULL OR m.claimed_until <= now())
       AND NOT EXISTS (
         SELECT FROM chat_channel c WHERE c.channel_id = m.channel_id AND c.next_allowed_at > now())
     ORDER BY m.due_at, m.id
     LIMIT $1 FOR UPDATE SKIP LOCKED),
  turn AS (
    INSERT INTO chat_channel AS c (channel_id, next_allowed_at)
    SELECT channel_id, now() + make_interval(secs => $3::float8 / 1000) FROM due
     ORDER BY channel_id
    ON CONFLICT (channel_id) DO UPDATE SET next_allowed_at = EXCLUDED.next_allowed_at
      WHERE c.next_allowed_at <= now()
    RETURNING channel_id),
  claimed AS (
    UPDATE message m
       SET claimed_by = $2, claimed_until = now() + make_interval(secs => $3::float8 / 1000),
           attempts = m.attempts + 1, attempted_at = now(), uncertain = true
      FROM due JOIN turn USING (channel_id) WHERE m.id = due.id
    RETURNING m.*, due.uncertain AS was_uncertain, due.attempted_at AS attempted_before)
  SELECT c.id, c.entity_id AS "entityId", c.channel_id AS "channelId", c.text, c.attempts AS number,
         c.created_at AS "createdAt", c.attempted_before AS "attemptedBefore", c.traceparent,
         extract(epoch FROM now() - c.queued_at)::float8 * 1000 AS "ageMs",
         c.was_uncertain AS uncertain, message_author(m) AS author
    FROM claimed c JOIN message m ON m.id = c.id
   ORDER BY c.id`;

/**
 * $1 outcomes as JSON. A sent message stays sent, even if the row was claimed again; any other outcome changes only a row
 * that is still claimed, and ends the turn of its channel.
 */
const record = statement("message-record")`
  WITH o AS (
    SELECT m.channel_id, m.claimed_by IS NOT DISTINCT FROM o.claim AS ours, o.*
      FROM json_to_recordset($1::json) AS o (
        id uuid, claim uuid, state text, provider_id text, cause text, wait_ms double precision,
        uncounted integer, uncertain boolean, pause_ms double precision)
      JOIN message m ON m.id = o.id
     ORDER BY m.id FOR UPDATE OF m),
  settled AS (
    UPDATE message m
       SET state = o.state, provider_id = coalesce(o.provider_id, m.provider_id), cause = o.cause,
           uncertain = o.uncertain, attempts = m.attempts - o.uncounted,
           due_at = clock_timestamp() + make_interval(secs => o.wait_ms / 1000),
           claimed_by = NULL, claimed_until = NULL
      FROM o
     WHERE m.id = o.id AND (o.ours AND m.state = 'PENDING_SEND'
             OR o.state = 'SENT' AND m.state IN ('PENDING_SEND', 'ERROR_SENDING')))
  INSERT INTO chat_channel (channel_id, next_allowed_at)
  SELECT channel_id, clock_timestamp() + make_interval(secs => max(pause_ms) / 1000) FROM o
   WHERE ours GROUP BY channel_id ORDER BY channel_id
  ON CONFLICT (channel_id) DO UPDATE SET next_allowed_at = EXCLUDED.next_allowed_at`;

/** Milliseconds until the next message of any channel may be sent; no row when none waits. */
const nextDue = statement<{ wait_ms: number }>("message-next-due")`
  SELECT extract(epoch FROM min(greatest(m.due_at, m.claimed_until, c.next_allowed_at))
           - clock_timestamp())::float8 * 1000 AS wait_ms
    FROM message m LEFT JOIN chat_channel c ON c.channel_id = m.channel_id
   WHERE m.state = 'PENDING_SEND' HAVING count(*) > 0`;

/** How many wait, for how long the oldest does, and how many failed. */
const queue = statement<QueueSize>("message-queue")`
  SELECT count(*) AS pending,
         coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest,
         (SELECT count(*) FROM message WHERE state = 'ERROR_SENDING') AS failed
    FROM message WHERE state = 'PENDING_SEND'`;

/** Turns that have long passed. */
const forgetTurns = statement("message-forget-turns")`
  DELETE FROM chat_channel WHERE next_allowed_at < now() - interval '1 day'`;
