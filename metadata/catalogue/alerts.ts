import {
  type AlertEventType,
  alertStatusCode,
  type AlertType,
  alertTypeCode,
} from "#contract/alerts.ts";
import { recordActivity } from "#metadata/catalogue/activity.ts";
import { type Actor, system } from "#contract/actor.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";
import { noticeColumns, recordNoticesSql } from "#metadata/catalogue/changes.ts";

/** One piece of an alert's description. */
export interface AlertChunk {
  description: string;
  /** When it happened, RFC 3339. */
  at: string;
}

/** An existing alert. */
interface AlertRef {
  id: number;
  /** Null for an alert without an entity. */
  entityId: number | null;
  type: AlertType;
}

export interface NewAlert extends Omit<AlertRef, "id"> {
  /** The test of a FAILED_DQ_TEST alert; null for other types. */
  messengerId: number | null;
  chunks: AlertChunk[];
  /** Whether it is over already: created as RESOLVED_AUTOMATICALLY instead of OPEN. */
  resolved: boolean;
  /** When it was raised, RFC 3339; by default the time of the call. */
  raisedAt?: string;
  /** Identifies one firing alert of the alert router; null for all other alerts. */
  fingerprint?: string | null;
  /** Since when that alert fires, RFC 3339; null when the router did not say. */
  startsAt?: string | null;
  /** The data source that it concerns; null, or absent, for all types but `sourceAlertTypes`. */
  dataSourceId?: number | null;
}

/**
 * Creates alerts with their chunks, events and activity, in a fixed number of statements. Returns
 * ids in the given order; null where an OPEN alert with the same key exists (created by another
 * transaction since the caller looked): the caller must then restart its transaction. `at` is RFC
 * 3339.
 */
export async function createAlerts(
  tx: Transaction,
  alerts: NewAlert[],
  at: string,
): Promise<(number | null)[]> {
  if (alerts.length === 0) return [];
  const rows = await tx.query(create, [
    at,
    alerts.map((a) => a.entityId),
    alerts.map((a) => a.messengerId),
    alerts.map((a) => alertTypeCode(a.type)),
    alerts.map((a) => alertStatusCode(a.resolved ? "RESOLVED_AUTOMATICALLY" : "OPEN")),
    alerts.map((a) => a.raisedAt ?? at),
    alerts.map((a) => a.fingerprint ?? null),
    alerts.map((a) => a.dataSourceId ?? null),
    alerts.map((a) => a.startsAt ?? null),
    ...chunkColumns(alerts.map((a, i) => ({ id: i + 1, chunks: a.chunks }))),
  ]);
  const made = alerts.flatMap((a, i) => (rows[i]!.id === null ? [] : [{ ...a, id: rows[i]!.id }]));
  await recordAlertEvents(tx, made.flatMap((a) => birthOf(a, at)));
  await recordActivity(
    tx,
    made.map(({ entityId, type, chunks, resolved }) => ({
      type: resolved ? "RESOLVED_ALERT_RECEIVED" : "OPEN_ALERT_RECEIVED",
      entityId,
      actor: system,
      after: received(type, chunks),
    })),
  );
  return rows.map((row) => row.id);
}

/** The events of a new alert: created and, if it is over already, resolved. */
function birthOf(alert: NewAlert & AlertRef, at: string) {
  const [created] = eventsOf(alert, ["CREATED"]);
  const over = alert.resolved ? eventsOf(alert, ["RESOLVED_AUTOMATICALLY"]) : [];
  return [{ ...created!, at: alert.raisedAt ?? at }, ...over.map((event) => ({ ...event, at }))];
}

/** New chunks of an OPEN alert. */
interface AlertGrowth {
  alert: AlertRef;
  chunks: AlertChunk[];
  /** Since when it fires, if that has changed; RFC 3339. */
  startsAt?: string | null;
}

/**
 * Adds chunks to OPEN alerts. Each alert is named once and its row is locked by the caller. Of its
 * earlier chunks, the newest `maxChunks` are stored.
 */
export async function stackAlerts(
  tx: Transaction,
  stacks: AlertGrowth[],
  at: string,
): Promise<void> {
  if (stacks.length === 0) return;
  await tx.query(stack, [
    at,
    stacks.map(({ alert }) => alert.id),
    stacks.map(({ startsAt }) => startsAt ?? null),
    maxChunks,
    ...chunkColumns(stacks.map(({ alert: { id }, chunks }) => ({ id, chunks }))),
  ]);
  await record(tx, stacks.flatMap(({ alert }) => eventsOf(alert, ["UPDATED"])), at);
  await recordActivity(
    tx,
    stacks.map(({ alert: { entityId, type }, chunks }) => ({
      type: "OPEN_ALERT_RECEIVED",
      entityId,
      actor: system,
      after: received(type, chunks),
    })),
  );
}

/** Resolves OPEN alerts on behalf of the service; each is named once, its row locked by the caller. */
export async function resolveAlerts(
  tx: Transaction,
  alerts: AlertRef[],
  at: string,
): Promise<void> {
  if (alerts.length === 0) return;
  await tx.query(resolve, [at, alerts.map(({ id }) => id)]);
  await record(tx, alerts.flatMap((alert) => eventsOf(alert, ["RESOLVED_AUTOMATICALLY"])), at);
  await recordActivity(
    tx,
    alerts.map(({ entityId, type }) => ({
      type: "ALERT_STATUS_UPDATED",
      entityId,
      actor: system,
      before: { type, status: "OPEN" },
      after: { type, status: "RESOLVED_AUTOMATICALLY" },
    })),
  );
}

/** Maximum number of chunks that an alert gains at once, and most earlier chunks that it keeps then. */
export const maxChunks = 1_000;

/** Longest text of one chunk; longer ones are cut and end with an ellipsis. */
export const maxDescription = 20_000;

/** Cuts `text` to `longest` characters. */
export function cutDescription(text: string, longest = maxDescription): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** One chunk for each description; beyond `maxChunks` the last one says how many more there are. */
export function chunksOf(descriptions: string[], at: string): AlertChunk[] {
  const rest = descriptions.length - maxChunks + 1;
  const summarized = rest > 1
    ? [...descriptions.slice(0, maxChunks - 1), `… and ${rest} more`]
    : descriptions;
  return summarized.map((description) => ({ description, at }));
}

/** Position or id of the alert, time and text of every chunk, as one array per column. */
function chunkColumns(alerts: { id: number; chunks: AlertChunk[] }[]): unknown[][] {
  const rows = alerts.flatMap(({ id, chunks }) => chunks.map((chunk) => ({ id, ...chunk })));
  return columnsOf(rows, "id", "at", "description");
}

function eventsOf({ id, entityId, type }: AlertRef, happened: AlertEventType[]) {
  return happened.map((eventType) => ({ alertId: id, entityId, type, eventType, actor: system }));
}

function record(tx: Transaction, events: ReturnType<typeof eventsOf>, at: string): Promise<void> {
  return recordAlertEvents(tx, events.map((event) => ({ ...event, at })));
}

function received(type: AlertType, chunks: AlertChunk[]) {
  return {
    type,
    chunks: chunks.map(({ at, description }) => ({ triggered_at: at, description })),
  };
}

/**
 * $1 time, $2 entities, $3 messengers, $4 types, $5 statuses, $6 times of raising, $7 fingerprints,
 * $8 data sources; $9 positions (from 1) of the alerts that the chunk times $10 and chunk texts $11
 * belong to. Returns an id for each alert, null when an OPEN one has the same key (indexes
 * `alert_open_key` and `alert_open_source`).
 */
const create = statement<{ id: number | null }>("create-alerts")`
  WITH posted AS MATERIALIZED (
    SELECT nextval('alert_id_seq') AS id, t.*
      FROM unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[],
             $6::text[], $7::text[], $8::bigint[], $9::text[])
        WITH ORDINALITY AS t (entity_id, messenger_id, type, status, raised, fingerprint,
          data_source_id, starts, place)),
  made AS (
    INSERT INTO alert (id, entity_id, messenger_id, type, status, status_updated_at, created_at,
      last_created_at, fingerprint, data_source_id, starts_at) OVERRIDING SYSTEM VALUE
    SELECT id, entity_id, messenger_id, type, status,
           CASE WHEN status <> 1 THEN $1::timestamptz END, raised::timestamptz, raised::timestamptz,
           fingerprint, data_source_id, starts::timestamptz
      FROM posted ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id),
  said AS (
    INSERT INTO alert_chunk (alert_id, created_at, description)
    SELECT m.id, c.at::timestamptz, c.description
      FROM unnest($10::bigint[], $11::text[], $12::text[])
        WITH ORDINALITY AS c (place, at, description, ordinal)
      JOIN posted p ON p.place = c.place JOIN made m ON m.id = p.id
     ORDER BY c.ordinal)
  SELECT m.id FROM posted p LEFT JOIN made m ON m.id = p.id ORDER BY p.place`;

/**
 * $1 time, $2 alerts, $3 since when they fire (null: as before), $4 how many of their earlier chunks to
 * keep; $5 alerts to which the new chunks with times $6 and texts $7 belong.
 */
const stack = statement("stack-alerts")`
  WITH grown AS (
    UPDATE alert a SET last_created_at = greatest(a.last_created_at, $1::timestamptz),
           starts_at = coalesce(n.starts::timestamptz, a.starts_at)
      FROM unnest($2::bigint[], $3::text[]) AS n (id, starts) WHERE a.id = n.id),
  trimmed AS (
    DELETE FROM alert_chunk WHERE id IN (
      SELECT c.id FROM unnest($2::bigint[]) AS a (id) CROSS JOIN LATERAL (
        SELECT x.id FROM alert_chunk x WHERE x.alert_id = a.id
         ORDER BY x.created_at DESC, x.id DESC OFFSET $4) c))
  INSERT INTO alert_chunk (alert_id, created_at, description)
  SELECT c.alert_id, c.at::timestamptz, c.description
    FROM unnest($5::bigint[], $6::text[], $7::text[])
      WITH ORDINALITY AS c (alert_id, at, description, ordinal)
   ORDER BY c.ordinal`;

/** $1 time, $2 OPEN alerts. */
const resolve = statement("resolve-alerts")`
  UPDATE alert SET status = 3, status_updated_by = NULL, status_updated_at = $1::timestamptz
   WHERE id = ANY($2::bigint[])`;

interface AlertEvent {
  alertId: number;
  /** Null for an alert without an entity. */
  entityId: number | null;
  type: AlertType;
  eventType: AlertEventType;
  /** When the alert changed, equal to the time stored with the alert; a string is RFC 3339. */
  at: Date | string;
  actor: Actor;
}

const insert = statement("record-alert-events")`
  WITH recorded AS (
    INSERT INTO alert_event (alert_id, entity_id, alert_type, event_type, event_at, updated_by)
    SELECT t.alert_id, t.entity_id, t.alert_type, t.event_type, t.event_at::timestamptz,
           t.updated_by
      FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::text[], $6::text[])
        WITH ORDINALITY AS t (
          alert_id, entity_id, alert_type, event_type, event_at, updated_by, ordinal)
     ORDER BY t.ordinal)
  ${recordNoticesSql("alert", 7)}`;

/**
 * Writes alert changes in the transaction that makes them, in one statement; ids follow the given
 * order. The trace context of the transaction is stored with them, so that a notification can be
 * traced back to its cause. Followers of the catalogue are notified.
 */
export async function recordAlertEvents(tx: Transaction, events: AlertEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(insert, [
    events.map((e) => e.alertId),
    events.map((e) => e.entityId),
    events.map((e) => alertTypeCode(e.type)),
    events.map((e) => e.eventType),
    events.map((e) => (typeof e.at === "string" ? e.at : e.at.toISOString())),
    events.map((e) => e.actor.name),
    ...noticeColumns(events.map((e) => ({
      eventType: e.eventType,
      entityId: e.entityId,
      alertId: e.alertId,
      details: { alert_type: e.type },
    }))),
  ]);
}
