import type { Context } from "#platform/context.ts";
import { type AlertEventRecord, alertTypes } from "#contract/alerts.ts";
import type { AlertMessage } from "#contract/notifications.ts";
import { longestPause } from "#platform/ops/recovery.ts";
import { AppError, messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { classify, type Database, type Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { type Decision, immediately, type MessageDraft, type Policy } from "./decision.ts";

const delayedCountSql = "SELECT count(*) AS delayed FROM notification WHERE state = 'held'";

interface ReviewerOptions extends Pick<Context, "db" | "wakeups" | "clock" | "log" | "metrics"> {
  policy: Policy;
  /** Nothing is delayed any more: remaining delayed messages are sent. */
  releaseAll: boolean;
  /** Milliseconds between two looks without a wake-up. */
  pollMs?: number;
}

/** Reviews delayed messages when alerts close; any number of processes may run it. */
export function reviewer(options: ReviewerOptions): Worker {
  const { db, clock, log, metrics, wakeups, policy, releaseAll, pollMs = 5_000 } = options;
  const name = "review of held messages";
  const delayedGauge = metrics.gauge(
    "tributary_notifier_held_messages",
    "Messages delayed because an upstream alert is open",
  );
  const running: Health = { ready: true, state: "running" };
  let health: Health = { ready: false, state: "stopped" };
  const loop = new Loop({
    clock,
    listen: (wake) => wakeups.on("notification_review", wake),
    async round() {
      const reviewed = await reviewDelayed(db, policy, releaseAll);
      const [count] = await db.query<{ delayed: number }>(delayedCountSql);
      delayedGauge.set({}, count!.delayed);
      health = running;
      return reviewed === 0 ? pollMs : 0;
    },
    retry: { initial: 200, max: longestPause("waiting_for_metadata", name) },
    failed(error) {
      const down = error instanceof AppError && error.retryable;
      if (!down && classify(error) === "unknown") throw error;
      log.warn("delayed messages are not reviewed", { error: messageOf(error) });
      health = { ready: false, state: "waiting_for_metadata" };
    },
  });
  return {
    name,
    start(onCrash) {
      health = running;
      return loop.start(onCrash);
    },
    async stop() {
      await loop.stop();
      health = { ready: false, state: "stopped" };
    },
    health: () => health,
  };
}

/** Alerts looked at in one round. */
const batchSize = 100;

/**
 * Reviews delayed messages whose root has closed, or that closed themselves. One whose alert is
 * still open is decided again, so that another root may delay it, and else is sent; the graph being
 * silent, it goes out. `releaseAll`: nothing is held back any more. Returns the alerts it dealt with.
 */
export async function reviewDelayed(
  db: Database,
  policy: Policy,
  releaseAll: boolean,
): Promise<number> {
  const due = await db.query<{ alert_id: number }>(dueSql, [releaseAll, batchSize]);
  for (const { alert_id } of due) await reviewAlert(db, policy, alert_id);
  return due.length;
}

interface DelayedRow extends Record<string, unknown> {
  event_id: number;
  entity_id: number | null;
  alert_type: number;
  event_type: AlertEventRecord["event_type"];
  event_at: Date;
  inhibited_by: number;
  message: AlertMessage;
}

async function reviewAlert(db: Database, policy: Policy, alert: number): Promise<void> {
  // Read outside of the transaction; all messages of an alert are about one entity.
  const [first] = await db.query<DelayedRow>(delayedSql, [alert]);
  const upstream = first
    ? (await policy.prepare([changeOf(alert, first)])).get(first.event_id) ?? []
    : [];
  await retryingTransaction(db, async (tx) => {
    const delayed = await tx.query<DelayedRow>(delayedSql, [alert]);
    const [state] = await tx.query<{ open: boolean }>(isOpenSql, [alert]);
    for (const row of delayed) {
      const decision = state?.open
        ? await redecide(tx, policy, changeOf(alert, row), upstream)
        : closedMeanwhile(row);
      await apply(tx, row, decision);
    }
    await tx.query(wakeSendersSql);
  });
}

async function redecide(
  tx: Transaction,
  policy: Policy,
  change: MessageDraft,
  upstream: number[],
): Promise<Decision> {
  const prepared = new Map([[change.event.id, upstream]]);
  const [decision] = await policy.decide(tx, [change], prepared);
  // It has waited for long enough.
  return decision!.state === "announced" ? immediately : decision!;
}

function closedMeanwhile({ inhibited_by }: DelayedRow): Decision {
  const cause = `closed while announced as a consequence of alert ${inhibited_by}`;
  return { state: "suppressed", cause };
}

function changeOf(alert_id: number, row: DelayedRow): MessageDraft {
  const event: AlertEventRecord = {
    id: row.event_id,
    alert_id,
    entity_id: row.entity_id,
    alert_type: alertTypes[row.alert_type - 1]!,
    event_type: row.event_type,
    event_at: row.event_at.toISOString(),
    updated_by: null,
  };
  return { event, message: row.message };
}

async function apply(tx: Transaction, row: DelayedRow, decision: Decision): Promise<void> {
  const released = decision.state === "announced";
  await tx.query(applySql, [
    row.event_id,
    decision.state,
    released ? `delayed until alert ${row.inhibited_by} closed` : decision.cause,
    decision.state === "held" ? decision.by : null,
    decision.state === "merged" ? decision.into.eventId : null,
    decision.state === "merged" ? decision.into.kind : null,
  ]);
}

/**
 * $1 whether nothing is to be delayed any more, $2 limit: alerts with delayed messages for which the alert that
 * delays them, or they themselves, are no longer open, or whose messages have all failed.
 */
const dueSql = `
  SELECT DISTINCT n.alert_id
    FROM notification n
    LEFT JOIN alert own ON own.id = n.alert_id
    LEFT JOIN alert root ON root.id = n.inhibited_by
   WHERE n.state = 'held'
     AND ($1 OR root.status IS DISTINCT FROM 1 OR own.status IS DISTINCT FROM 1
          OR (SELECT bool_and(d.state = 'failed')
                FROM notification r JOIN delivery d USING (event_id, kind)
               WHERE r.alert_id = n.inhibited_by))
   ORDER BY n.alert_id LIMIT $2`;

/** $1 alert: its delayed messages, oldest first, for one reviewer at a time. */
const delayedSql = `
  SELECT n.event_id, n.entity_id, n.alert_type, n.event_type, n.event_at, n.inhibited_by, n.message
    FROM notification n
   WHERE n.alert_id = $1 AND n.kind = 'event' AND n.state = 'held'
   ORDER BY n.event_id FOR UPDATE SKIP LOCKED`;

/** $1 alert. */
const isOpenSql = `SELECT status = 1 AS open FROM alert WHERE id = $1`;

/**
 * $1 event, $2 state, $3 cause, $4 inhibited by, $5 and $6 the message that it was merged
 * into: a delayed message and its deliveries get the decided state.
 */
const applySql = `
  WITH reported AS (
    UPDATE notification SET state = $2, cause = $3, inhibited_by = $4
     WHERE event_id = $1 AND kind = 'event')
  UPDATE delivery d
     SET state = s.state, reason = $3, merged_into = CASE WHEN s.state = 'merged' THEN s.into END,
         due_at = now(),
         ended_at = CASE WHEN s.state IN ('suppressed', 'merged') THEN now() END
    FROM (
      SELECT h.id, l.id AS into,
             CASE WHEN $2 = 'announced' OR $2 = 'merged' AND l.id IS NULL
                  THEN 'pending' ELSE $2 END AS state
        FROM delivery h
        LEFT JOIN delivery l ON l.event_id = $5 AND l.kind = $6
              AND l.channel = h.channel AND l.recipient = h.recipient
       WHERE h.event_id = $1 AND h.kind = 'event' AND h.state = 'held') s
   WHERE d.id = s.id`;

const wakeSendersSql = "SELECT pg_notify('notification_delivery', '')";
