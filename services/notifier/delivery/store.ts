import { type AlertEventRecord, alertTypeCode } from "#contract/alerts.ts";
import type { PermanentError } from "#kit/errors.ts";
import { bounded } from "#kit/text.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import type {
  Decision,
  MessageDraft,
  NotificationKey,
} from "#services/notifier/policy/decision.ts";
import * as sql from "./store.queries.ts";

/** Whom every message goes to, by which channel. */
export interface Route {
  channel: string;
  recipient: string;
}

/** A message with what was decided of it. */
export interface DecidedMessage extends MessageDraft {
  decision: Decision;
  kind?: NotificationKey["kind"];
}

/** What is known of changes that were read before. */
export interface StoredChange extends Record<string, unknown> {
  event_id: number;
  state: string;
  /** Where the record of a quarantined change stands. */
  origin: string | null;
}

/** Those of the changes that the delivery log knows. */
export function knownChanges(db: Queryable, events: AlertEventRecord[]): Promise<StoredChange[]> {
  return db.query<StoredChange>(sql.known, [events.map((event) => event.id)]);
}

/**
 * Puts messages into the delivery log, a row for each recipient, and wakes the senders. What is there
 * already stays as it is. Returns how many were new.
 */
export async function store(
  tx: Transaction,
  messages: DecidedMessage[],
  routes: Route[],
): Promise<number> {
  const rows = await tx.query<{ announced: number }>(sql.store, [
    `[${messages.map(rowOf).join(",")}]`,
    routes.map((route) => route.channel),
    routes.map((route) => route.recipient),
  ]);
  return rows[0]!.announced;
}

function rowOf({ event, message, decision, kind = "event" }: DecidedMessage): string {
  return JSON.stringify({
    event_id: event.id,
    kind,
    alert_id: event.alert_id,
    entity_id: event.entity_id,
    alert_type: alertTypeCode(event.alert_type),
    event_type: event.event_type,
    event_at: event.event_at,
    state: decision.state,
    cause: decision.cause ?? null,
    inhibited_by: decision.state === "held" ? decision.by : null,
    message,
    wait_ms: decision.state === "announced" ? decision.waitMs : 0,
    into_event: decision.state === "merged" ? decision.into.eventId : null,
    into_kind: decision.state === "merged" ? decision.into.kind : null,
  });
}

/** Records that a change cannot be notified, and why; one that was notified stays so. */
export async function noteQuarantined(
  db: Queryable,
  event: AlertEventRecord,
  error: PermanentError,
  origin: string,
): Promise<void> {
  await db.query(sql.quarantine, [
    event.id,
    event.alert_id,
    event.entity_id,
    alertTypeCode(event.alert_type),
    event.event_type,
    event.event_at,
    bounded(`${error.reason}: ${error.message}`, 2_000),
    origin,
  ]);
}
