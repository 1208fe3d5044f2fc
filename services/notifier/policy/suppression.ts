import { type AlertEventRecord, alertTypeCode, alertTypes } from "#contract/alerts.ts";
import type { AlertMessage } from "#contract/notifications.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import {
  addToUnsent,
  type Route,
  store,
  storedMessage,
} from "#services/notifier/delivery/store.ts";
import type { Decision, MessageDraft, NotificationKey } from "./decision.ts";

/** Changes by which an alert begins to be open. */
export const opens = new Set(["CREATED", "REOPENED"]);
const closes = new Set(["RESOLVED", "RESOLVED_AUTOMATICALLY"]);

/** Maximum number of consequences in one message. */
const maxConsequences = 500;

interface InhibitionOptions {
  routes: Route[];
  /** Milliseconds that a follow-up waits for further consequences. */
  waitMs: number;
}

/**
 * The effect of the lineage upstream of a change's entity: delayed while an announced alert there is
 * open, whose message then includes it. Later changes of a delayed alert are treated alike. Null
 * when nothing stands against it. Openings are ordered by their change's id, and one that is held holds
 * back nothing; so no two alerts hold back each other, whatever the cycle.
 */
export async function inhibited(
  tx: Transaction,
  change: MessageDraft,
  upstream: number[],
  options: InhibitionOptions,
): Promise<Decision | null> {
  const { event } = change;
  if (closes.has(event.event_type)) await tx.query(wakeReviewSql);
  if (!opens.has(event.event_type)) return await likeItsOpening(tx, event);
  if (upstream.length === 0) return null;
  const root = await rootOf(tx, event, upstream);
  if (!root || !await consequenceFor(tx, root, change, options)) return null;
  return inhibitedBy(root.alert_id);
}

function inhibitedBy(alert: number): Decision {
  return { state: "held", cause: `announced as a consequence of alert ${alert}`, by: alert };
}

async function likeItsOpening(tx: Transaction, event: AlertEventRecord): Promise<Decision | null> {
  type OpeningRow = { state: string; inhibited_by: number | null };
  const values = [event.alert_id, event.id];
  const [opening] = await tx.query<OpeningRow>(openingSql, values);
  if (opening?.state !== "held" || opening.inhibited_by === null) return null;
  if (!closes.has(event.event_type)) return inhibitedBy(opening.inhibited_by);
  const cause = `closed while announced as a consequence of alert ${opening.inhibited_by}`;
  return { state: "suppressed", cause };
}

interface Root extends Record<string, unknown> {
  alert_id: number;
  event_id: number;
  entity_id: number;
  alert_type: number;
}

async function rootOf(
  tx: Transaction,
  event: AlertEventRecord,
  upstream: number[],
): Promise<Root | undefined> {
  return (await tx.query<Root>(rootSql, [upstream, event.alert_id, event.id]))[0];
}

/** Adds the change to a message about the root, or makes one; false when neither can be. */
async function consequenceFor(
  tx: Transaction,
  root: Root,
  { event, message }: MessageDraft,
  { routes, waitMs }: InhibitionOptions,
): Promise<boolean> {
  if (message.data_entity === null) return false;
  const { alert_id, alert_type } = event;
  const consequence = { alert_id, alert_type, data_entity: message.data_entity };
  type KeyRow = { event_id: number; kind: NotificationKey["kind"] };
  const rows = await tx.query<KeyRow>(messagesOfSql, [root.alert_id, root.event_id]);
  const candidates = rows.map((row) => ({ eventId: row.event_id, kind: row.kind }));
  const added = await addToUnsent(tx, candidates, (about) => withConsequence(about, consequence));
  if (added) return true;
  const followUp = await followUpOf(tx, root, event, consequence);
  if (!followUp) return false;
  const cause = `follows up alert ${root.alert_id}`;
  const decision = { state: "announced" as const, waitMs, cause };
  return await store(tx, [{ ...followUp, kind: "follow_up", decision }], routes) === 1;
}

type Consequence = AlertMessage["consequences"][number];

function withConsequence(message: AlertMessage, consequence: Consequence): AlertMessage {
  const others = message.consequences.filter((other) => other.alert_id !== consequence.alert_id);
  return { ...message, consequences: [...others, consequence].slice(-maxConsequences) };
}

/** What is said of the root once more; null when it is silenced by now, or its message not kept. */
async function followUpOf(
  tx: Transaction,
  root: Root,
  { id, event_at }: AlertEventRecord,
  consequence: Consequence,
): Promise<MessageDraft | null> {
  const about = await storedMessage(tx, { eventId: root.event_id, kind: "event" });
  const event: AlertEventRecord = {
    id,
    alert_id: root.alert_id,
    entity_id: root.entity_id,
    alert_type: alertTypes[root.alert_type - 1]!,
    event_type: "UPDATED",
    event_at,
    updated_by: null,
  };
  if (!about || (await silenced(tx, [event])).size > 0) return null;
  const message: AlertMessage = {
    ...about,
    event_type: "UPDATED",
    event_at,
    updated_by: null,
    consequences: [consequence],
    grouped_events: [],
  };
  return { event, message };
}

interface SilenceRow extends Record<string, unknown> {
  event_id: number;
  id: number;
  until: Date;
  created_by: string | null;
  comment: string | null;
}

/** The silences that changes meet now, by the change's id. All conditions of a silence must hold. */
export async function silenced(
  db: Queryable,
  events: AlertEventRecord[],
): Promise<Map<number, Decision>> {
  const rows = await db.query<SilenceRow>(silencesSql, [
    events.map((event) => event.id),
    events.map((event) => event.entity_id),
    events.map((event) => alertTypeCode(event.alert_type)),
  ]);
  return new Map(
    rows.map((row) => [row.event_id, { state: "suppressed", cause: silenceCause(row) }]),
  );
}

function silenceCause({ id, until, created_by, comment }: SilenceRow): string {
  const by = created_by ? ` by ${created_by}` : "";
  return `silence ${id}${by} until ${until.toISOString()}${comment ? `: ${comment}` : ""}`;
}

/** $1 alert, $2 change: how the latest opening before it was announced. */
const openingSql = `
  SELECT state, inhibited_by FROM notification
   WHERE alert_id = $1 AND kind = 'event' AND event_type IN ('CREATED', 'REOPENED')
     AND event_id < $2
   ORDER BY event_id DESC LIMIT 1`;

/**
 * $1 entities upstream, $2 alert, $3 its opening: the earliest open alert there that opened before and
 * was announced, in a message that was not lost.
 */
const rootSql = `
  SELECT r.id AS alert_id, n.event_id, n.entity_id, n.alert_type
    FROM alert r
   CROSS JOIN LATERAL (
     SELECT * FROM notification
      WHERE alert_id = r.id AND kind = 'event' AND event_type IN ('CREATED', 'REOPENED')
      ORDER BY event_id DESC LIMIT 1) n
   WHERE r.entity_id = ANY ($1::bigint[]) AND r.status = 1 AND r.id <> $2 AND n.event_id < $3
     AND n.state IN ('announced', 'merged')
     AND EXISTS (SELECT FROM delivery d WHERE d.event_id = n.event_id AND d.kind = n.kind
                    AND d.state IN ('pending', 'delivered', 'merged'))
   ORDER BY n.event_id LIMIT 1`;

/**
 * $1 alert, $2 its opening: the messages that include it, in the order in which more may be added: its
 * own, the one it was merged into, then follow-ups, the newest first.
 */
const messagesOfSql = `
  SELECT event_id, kind FROM (
    SELECT $2::bigint AS event_id, 'event' AS kind, 1 AS place
     UNION ALL
    SELECT DISTINCT l.event_id, l.kind, 2
      FROM delivery d JOIN delivery l ON l.id = d.merged_into
     WHERE d.event_id = $2 AND d.kind = 'event' AND d.state = 'merged'
     UNION ALL
    SELECT event_id, kind, 3 FROM (
      SELECT event_id, kind FROM notification
       WHERE alert_id = $1 AND kind = 'follow_up' AND event_id > $2
       ORDER BY event_id DESC LIMIT 1) newest) m
   ORDER BY place`;

/** Wakes the reviewer of delayed messages. */
const wakeReviewSql = "SELECT pg_notify('notification_review', '')";

/** $1 events, $2 their entities, $3 their types, side by side: the longest silence that each meets. */
const silencesSql = `
  SELECT g.event_id, s.id, s.until, s.created_by, s.comment
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS g (event_id, entity_id, alert_type)
   CROSS JOIN LATERAL silence_of(g.entity_id, g.alert_type) s`;
