import type { Actor } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import type { SilenceForm } from "#contract/catalogue/alerts.ts";
import { type PageQuery, type PageWindow, pageWindow } from "#contract/http.ts";
import type { DeliveryState, NotificationChannel } from "#contract/notifications.ts";
import { alertTypeCode } from "#contract/alerts.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { listJson, listOfFound } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db">;

/** Attempts of each delivery in a list, and in the answer for a single delivery. */
const listedAttempts = 20;
const shownAttempts = 1_000;
/** Deliveries that are queued again in one transaction. */
const resendBatch = 1_000;

/** One page of the delivery log, newest first; NotificationDeliveryList as JSON text. */
export function listDeliveries({ db }: Deps, filter: DeliveryFilter, page: PageQuery) {
  return deliveryPage(db, filter, pageWindow(page), listedAttempts);
}

/** NotificationDelivery as JSON text, with its newest 1,000 attempts. Throws 404. */
export async function describeDelivery({ db }: Deps, id: string): Promise<string> {
  const json = await deliveryById(db, id, shownAttempts);
  if (json === undefined) throw notFound("Delivery", id);
  return json;
}

/**
 * Queues a failed delivery again, with a fresh budget of attempts, and returns it. Throws 404, and
 * 400 (USR003) if it has not failed.
 */
export async function resendDelivery(deps: Deps, id: string): Promise<string> {
  if (await resend(deps.db, [id]) === 0) {
    const state = await deliveryState(deps.db, id);
    if (state === undefined) throw notFound("Delivery", id);
    throw conflict(`Only a failed delivery can be sent again; ${id} is ${state}`);
  }
  return await describeDelivery(deps, id);
}

/** Queues all deliveries again that have failed so far, of one channel or of all; returns their number. */
export async function resendFailed(
  { db, clock }: Pick<Context, "db" | "clock">,
  channel?: NotificationChannel,
): Promise<number> {
  // Only failures before this time, or repeated failures would make this endless.
  const begun = new Date(clock.now());
  let resent = 0;
  for (;;) {
    const ids = await failedIds(db, begun, channel, resendBatch);
    if (ids.length === 0) return resent;
    resent += await resend(db, ids);
  }
}

/** One page of the silences, those that end last first; NotificationSilenceList as JSON text. */
export function listSilences({ db }: Deps, page: PageQuery, active?: boolean): Promise<string> {
  return silencePage(db, pageWindow(page), active);
}

/**
 * Creates a silence that starts now; NotificationSilence as JSON text. Throws 400 when its end has
 * passed, or when something that it names does not exist.
 */
export async function createSilence(
  context: Pick<Context, "db" | "clock">,
  actor: Actor,
  form: SilenceForm,
): Promise<string> {
  const { db, clock } = context;
  if (Date.parse(form.until) <= clock.now()) {
    throw badRequest("The silence would be over", [
      { field: "until", message: "must lie in the future" },
    ]);
  }
  const known = await knownConditions(db, form);
  const unknown = Object.entries(known).filter(([, there]) => !there).map(([field]) => field);
  if (unknown.length > 0) {
    const details = unknown.map((field) => ({ field, message: "names nothing that is there" }));
    throw badRequest("The silence names what is not there", details);
  }
  return await changing(context, actor, ({ tx }) => insertSilence(tx, form, actor));
}

/** Ends a silence. Throws 404. */
export async function deleteSilence(context: Deps, actor: Actor, id: number): Promise<void> {
  const deleted = await changing(context, actor, ({ tx }) => deleteSilenceRow(tx, id));
  if (!deleted) throw notFound("Silence", id);
}

/** A filter of deliveries; an absent member does not restrict. Times are RFC 3339. */
interface DeliveryFilter {
  state?: DeliveryState;
  channel?: NotificationChannel;
  recipient?: string;
  alert?: number;
  entity?: number;
  event?: number;
  /** Created at this time or later. */
  begin?: string;
  /** Created before this time. */
  end?: string;
}

const from = "delivery d JOIN notification n ON n.event_id = d.event_id AND n.kind = d.kind";
// Lists are planned for their values each time, so that absent conditions cost nothing.
const shown = `
  ($1::text IS NULL OR d.state = $1) AND ($2::text IS NULL OR d.channel = $2)
  AND ($3::text IS NULL OR d.recipient = $3) AND ($4::bigint IS NULL OR d.alert_id = $4)
  AND ($5::bigint IS NULL OR n.entity_id = $5) AND ($6::bigint IS NULL OR d.event_id = $6)
  AND ($7::timestamptz IS NULL OR d.created_at >= $7)
  AND ($8::timestamptz IS NULL OR d.created_at < $8)`;

function filterValues(filter: DeliveryFilter): unknown[] {
  const { state, channel, recipient, alert, entity, event, begin, end } = filter;
  return [state?.toLowerCase(), channel, recipient, alert, entity, event, begin, end]
    .map((value) => value ?? null);
}

/** SQL of a NotificationDelivery from `d` and `n`, with at most `attempts` of its newest attempts. */
const json = (attempts: string) => `
  json_build_object(
    'id', d.id, 'event_id', d.event_id, 'kind', upper(d.kind), 'alert_id', d.alert_id,
    'entity_id', n.entity_id, 'alert_type', alert_type_name(n.alert_type),
    'event_type', n.event_type, 'event_at', iso(n.event_at),
    'channel', d.channel, 'recipient', d.recipient, 'state', upper(d.state), 'reason', d.reason,
    'merged_into', d.merged_into, 'created_at', iso(d.created_at),
    'due_at', CASE WHEN d.state = 'pending' THEN iso(d.due_at) END,
    'ended_at', iso(d.ended_at), 'attempt_count', d.attempts,
    'attempts', (
      SELECT coalesce(json_agg(json_build_object(
               'number', a.number, 'at', iso(a.at), 'duration_ms', a.duration_ms,
               'outcome', upper(a.outcome), 'status', a.status, 'cause', a.cause)
               ORDER BY a.number), '[]')
        FROM (SELECT * FROM delivery_attempt t WHERE t.delivery_id = d.id
               ORDER BY t.number DESC LIMIT ${attempts}) a))`;

const list = plannedEachTime<JsonRow>("delivery-list")`
  WITH total AS (SELECT count(*) AS n FROM ${from} WHERE ${shown}),
  page AS (
    SELECT d, n FROM ${from} WHERE ${shown}
     ORDER BY d.created_at DESC, d.id DESC LIMIT $9 OFFSET $10)
  SELECT ${
  listJson({
    each: json("$11"),
    by: "d.created_at DESC, d.id DESC",
    from: "page p, LATERAL (SELECT (p.d).*) d, LATERAL (SELECT (p.n).*) n",
    total: "total.n",
    window: ["$9", "$10"],
  })
}::text AS json
    FROM total`;

/** NotificationDeliveryList of one page, newest first, as JSON text. */
async function deliveryPage(
  db: Queryable,
  filter: DeliveryFilter,
  { limit, offset }: PageWindow,
  attempts: number,
): Promise<string> {
  const values = [...filterValues(filter), limit, offset, attempts];
  return (await db.query(list, values))[0]!.json;
}

const one = statement<JsonRow>("delivery-by-id")`
  SELECT ${json("$2")}::text AS json FROM ${from} WHERE d.id = $1`;

/** NotificationDelivery as JSON text; undefined when the id is unknown. */
async function deliveryById(db: Queryable, id: string, attempts: number) {
  return (await db.query(one, [id, attempts]))[0]?.json;
}

const stateOf = statement<{ state: string }>("delivery-state")`
  SELECT upper(state) AS state FROM delivery WHERE id = $1`;

/** The state of a delivery; undefined when the id is unknown. */
async function deliveryState(db: Queryable, id: string) {
  return (await db.query(stateOf, [id]))[0]?.state;
}

const resendAll = statement<{ resent: number }>("delivery-resend")`
  SELECT delivery_resend($1::uuid[]) AS resent`;

/** Queues those of the deliveries again that have failed; returns their number. */
async function resend(db: Queryable, ids: string[]): Promise<number> {
  return (await db.query(resendAll, [ids]))[0]!.resent;
}

const failed = plannedEachTime<{ id: string }>("delivery-failed")`
  SELECT id FROM delivery
   WHERE state = 'failed' AND ended_at <= $1 AND ($2::text IS NULL OR channel = $2)
   ORDER BY ended_at LIMIT $3`;

/** Deliveries that failed until `before`, oldest first. */
async function failedIds(
  db: Queryable,
  before: Date,
  channel: NotificationChannel | undefined,
  max: number,
): Promise<string[]> {
  const rows = await db.query(failed, [before, channel ?? null, max]);
  return rows.map((row) => row.id);
}

const silenceJson = `
  json_build_object(
    'id', id, 'entity_id', entity_id, 'namespace_id', namespace_id, 'owner_id', owner_id,
    'alert_type', alert_type_name(alert_type), 'until', iso(until),
    'active', until > now(), 'comment', comment, 'created_by', created_by,
    'created_at', iso(created_at))`;

const silences = plannedEachTime<JsonRow>("silence-list")`
  WITH found AS (SELECT * FROM silence s WHERE $3::boolean IS NULL OR (s.until > now()) = $3)
  ${listOfFound({ each: silenceJson, by: "until DESC, id DESC", window: ["$1", "$2"] })}`;

/** NotificationSilenceList of one page as JSON text, those that end last first. */
async function silencePage(db: Queryable, { limit, offset }: PageWindow, active?: boolean) {
  const values = [limit, offset, active ?? null];
  return (await db.query(silences, values))[0]!.json;
}

const addSilence = statement<JsonRow>("silence-add")`
  INSERT INTO silence AS s (entity_id, namespace_id, owner_id, alert_type, until, comment,
                           created_by, created_by_provider)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${silenceJson}::text AS json`;

/** Inserts a silence; returns NotificationSilence as JSON text. */
async function insertSilence(db: Transaction, form: SilenceForm, by: Actor) {
  const { entity_id, namespace_id, owner_id, alert_type, until, comment } = form;
  const type = alert_type ? alertTypeCode(alert_type) : null;
  const values = [entity_id, namespace_id, owner_id, type, until, comment, by.name, by.provider];
  const given = values.map((value) => value ?? null);
  return (await db.query(addSilence, given))[0]!.json;
}

const removeSilence = statement("silence-delete")`DELETE FROM silence WHERE id = $1 RETURNING id`;

/** False when the id is unknown. */
async function deleteSilenceRow(db: Transaction, id: number): Promise<boolean> {
  return (await db.query(removeSilence, [id])).length > 0;
}

type ExistingTargets = Record<"entity_id" | "namespace_id" | "owner_id", boolean>;

const knownStatement = statement<ExistingTargets>("silence-known")`
  SELECT $1::bigint IS NULL OR EXISTS (SELECT FROM data_entity WHERE id = $1) AS entity_id,
         $2::bigint IS NULL OR EXISTS (SELECT FROM namespace WHERE id = $2) AS namespace_id,
         $3::bigint IS NULL OR EXISTS (SELECT FROM owner WHERE id = $3) AS owner_id`;

/** For each condition of a silence, whether the thing that it names exists. */
async function knownConditions(db: Queryable, form: SilenceForm) {
  const values = [form.entity_id, form.namespace_id, form.owner_id].map((id) => id ?? null);
  return (await db.query(knownStatement, values))[0]!;
}
