import type { Actor } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import type { SilenceForm } from "#contract/catalogue/alerts.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import type { DeliveryState, NotificationChannel } from "#contract/notifications.ts";
import { alertTypeCode } from "#contract/alerts.ts";
import { badRequest, conflict, notFound, requireFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { foundJson, listJson, listOfFound } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db">;

/** Attempts of each delivery in a list, and in the answer for a single delivery. */
const listedAttempts = 20;
const shownAttempts = 1_000;
/** Deliveries that are queued again in one transaction. */
const resendBatch = 1_000;

/** One page of the delivery log, newest first; NotificationDeliveryList as JSON text. */
export async function listDeliveries({ db }: Deps, query: DeliveriesQuery): Promise<string> {
  const { state, channel, recipient, alert_id, entity_id, event_id, begin_date, end_date } = query;
  const conditions = [channel, recipient, alert_id, entity_id, event_id, begin_date, end_date];
  const given = [state?.toLowerCase(), ...conditions].map((value) => value ?? null);
  const { limit, offset } = pageWindow(query);
  return (await db.query(list, [...given, limit, offset, listedAttempts]))[0]!.json;
}

/** NotificationDelivery as JSON text, with its newest 1,000 attempts. Throws 404. */
export async function describeDelivery({ db }: Deps, id: string): Promise<string> {
  return foundJson(await db.query(one, [id, shownAttempts]), "Delivery", id);
}

/**
 * Queues a failed delivery again, with a fresh budget of attempts, and returns it. Throws 404, and
 * 400 (USR003) if it has not failed.
 */
export async function resendDelivery(deps: Deps, id: string): Promise<string> {
  if (await resend(deps.db, [id]) === 0) {
    const delivery = requireFound(await deps.db.query(stateOf, [id]), "Delivery", id);
    throw conflict(`Only a failed delivery can be sent again; ${id} is ${delivery.state}`);
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
    const rows = await db.query(failed, [begun, channel ?? null, resendBatch]);
    if (rows.length === 0) return resent;
    resent += await resend(db, rows.map(({ id }) => id));
  }
}

/** One page of the silences, those that end last first; NotificationSilenceList as JSON text. */
export async function listSilences(
  { db }: Deps,
  { active, ...page }: PageQuery & { active?: "true" | "false" },
): Promise<string> {
  const { limit, offset } = pageWindow(page);
  return (await db.query(silences, [limit, offset, active ?? null]))[0]!.json;
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
  const { entity_id = null, namespace_id = null, owner_id = null } = form;
  const [known] = await db.query(knownTargets, [entity_id, namespace_id, owner_id]);
  const unknown = Object.entries(known!).filter(([, there]) => !there).map(([field]) => field);
  if (unknown.length > 0) {
    const details = unknown.map((field) => ({ field, message: "names nothing that is there" }));
    throw badRequest("The silence names what is not there", details);
  }
  const type = form.alert_type ? alertTypeCode(form.alert_type) : null;
  const what = [entity_id, namespace_id, owner_id, type, form.until, form.comment ?? null];
  const values = [...what, actor.name, actor.provider];
  const [made] = await changing(context, actor, ({ tx }) => tx.query(addSilence, values));
  return made!.json;
}

/** Ends a silence. Throws 404. */
export async function deleteSilence(context: Deps, actor: Actor, id: number): Promise<void> {
  const deleted = await changing(context, actor, ({ tx }) => tx.query(removeSilence, [id]));
  if (deleted.length === 0) throw notFound("Silence", id);
}

/** An absent member does not restrict. Times are RFC 3339. */
interface DeliveriesQuery extends PageQuery {
  state?: DeliveryState;
  channel?: NotificationChannel;
  recipient?: string;
  alert_id?: number;
  entity_id?: number;
  event_id?: number;
  /** Created at this time or later. */
  begin_date?: string;
  /** Created before this time. */
  end_date?: string;
}

const from = "delivery d JOIN notification n ON n.event_id = d.event_id AND n.kind = d.kind";
// Lists are planned for their values each time, so that absent conditions cost nothing.
const shown = `
  ($1::text IS NULL OR d.state = $1) AND ($2::text IS NULL OR d.channel = $2)
  AND ($3::text IS NULL OR d.recipient = $3) AND ($4::bigint IS NULL OR d.alert_id = $4)
  AND ($5::bigint IS NULL OR n.entity_id = $5) AND ($6::bigint IS NULL OR d.event_id = $6)
  AND ($7::timestamptz IS NULL OR d.created_at >= $7)
  AND ($8::timestamptz IS NULL OR d.created_at < $8)`;

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

const one = statement<JsonRow>("delivery-by-id")`
  SELECT ${json("$2")}::text AS json FROM ${from} WHERE d.id = $1`;

const stateOf = statement<{ state: string }>("delivery-state")`
  SELECT upper(state) AS state FROM delivery WHERE id = $1`;

const resendAll = statement<{ resent: number }>("delivery-resend")`
  SELECT delivery_resend($1::uuid[]) AS resent`;

/** Queues those of the deliveries again that have failed; returns their number. */
async function resend(db: Queryable, ids: string[]): Promise<number> {
  return (await db.query(resendAll, [ids]))[0]!.resent;
}

/** Deliveries that failed until $1, oldest first. */
const failed = plannedEachTime<{ id: string }>("delivery-failed")`
  SELECT id FROM delivery
   WHERE state = 'failed' AND ended_at <= $1 AND ($2::text IS NULL OR channel = $2)
   ORDER BY ended_at LIMIT $3`;

const silenceJson = `
  json_build_object(
    'id', id, 'entity_id', entity_id, 'namespace_id', namespace_id, 'owner_id', owner_id,
    'alert_type', alert_type_name(alert_type), 'until', iso(until),
    'active', until > now(), 'comment', comment, 'created_by', created_by,
    'created_at', iso(created_at))`;

const silences = plannedEachTime<JsonRow>("silence-list")`
  WITH found AS (SELECT * FROM silence s WHERE $3::boolean IS NULL OR (s.until > now()) = $3)
  ${listOfFound({ each: silenceJson, by: "until DESC, id DESC", window: ["$1", "$2"] })}`;

const addSilence = statement<JsonRow>("silence-add")`
  INSERT INTO silence AS s (entity_id, namespace_id, owner_id, alert_type, until, comment,
                           created_by, created_by_provider)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${silenceJson}::text AS json`;

const removeSilence = statement("silence-delete")`DELETE FROM silence WHERE id = $1 RETURNING id`;

/** For each condition of a silence, whether the thing that it names exists. */
interface KnownTargets {
  entity_id: boolean;
  namespace_id: boolean;
  owner_id: boolean;
}

const knownTargets = statement<KnownTargets>("silence-known")`
  SELECT $1::bigint IS NULL OR EXISTS (SELECT FROM data_entity WHERE id = $1) AS entity_id,
         $2::bigint IS NULL OR EXISTS (SELECT FROM namespace WHERE id = $2) AS namespace_id,
         $3::bigint IS NULL OR EXISTS (SELECT FROM owner WHERE id = $3) AS owner_id`;
