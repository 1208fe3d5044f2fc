import { alertTypes } from "#contract/alerts.ts";
import type { AlertEventRecord } from "#contract/alerts.ts";
import type { AlertMessage } from "#contract/notifications.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { type Decision, immediately, type MessageDraft, type Policy } from "./decision.ts";
import * as sql from "./review.queries.ts";

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
  const due = await db.query<{ alert_id: number }>(sql.due, [releaseAll, batchSize]);
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
  const [first] = await db.query<DelayedRow>(sql.delayed, [alert]);
  const upstream = first
    ? (await policy.prepare([changeOf(alert, first)])).get(first.event_id) ?? []
    : [];
  await retryingTransaction(db, async (tx) => {
    const delayed = await tx.query<DelayedRow>(sql.delayed, [alert]);
    const [state] = await tx.query<{ open: boolean }>(sql.isOpen, [alert]);
    for (const row of delayed) {
      const decision = state?.open
        ? await redecide(tx, policy, changeOf(alert, row), upstream)
        : closedMeanwhile(row);
      await apply(tx, row, decision);
    }
    await tx.query(sql.wakeSenders);
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
  await tx.query(sql.apply, [
    row.event_id,
    decision.state,
    released ? `delayed until alert ${row.inhibited_by} closed` : decision.cause,
    decision.state === "held" ? decision.by : null,
    0,
    decision.state === "merged" ? decision.into.eventId : null,
    decision.state === "merged" ? decision.into.kind : null,
  ]);
}
