import type { RoutedAlert } from "#contract/ingestion/alertmanager.ts";
import { alertTypeCode } from "#contract/alerts.ts";
import { unavailable } from "#kit/errors.ts";
import type { Counter } from "#kit/metrics.ts";
import { inBatches } from "#kit/event-loop.ts";
import { createAlerts, maxChunks, resolveAlerts, stackAlerts } from "#metadata/catalogue/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { ensureEntities } from "#metadata/catalogue/entities.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import {
  type AlertInsert,
  type AlertState,
  type OpenAlert,
  type Plan,
  planEach,
  planOnce,
} from "./plan.ts";
import { readAlert, type ReceivedAlert } from "./received.ts";

/** Largest body of one request, in bytes. */
export const maxAlertBody = 5 * 1_048_576;

/** Alerts to process before yielding to the event loop. */
const batchSize = 1_000;

type Deps = Pick<Context, "db" | "clock" | "config" | "metrics">;
const type = "DISTRIBUTION_ANOMALY" as const;

/** Stores the alerts of a request: all of them, or none. */
export class AlertRouter {
  readonly #count: Counter;

  constructor(private readonly context: Deps) {
    this.#count = context.metrics.counter(
      "tributary_alerts_routed_total",
      "Alerts that alert routers sent, by outcome",
      ["outcome"],
    );
  }

  /**
   * Records alerts as distribution anomalies, on the entity that each names (a hollow one if unknown) or
   * on none: one for each that fires, or, without `alerts.deduplicate`, one for each delivery. 503 when
   * an entity was purged meanwhile: the router will retry.
   */
  async take(alerts: RoutedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const receivedAt = this.context.clock.now();
    const linkOnly = !this.context.config.alerts.deduplicate;
    const received: ReceivedAlert[] = [];
    for await (const batch of inBatches(alerts, batchSize)) {
      for (const alert of batch) received.push(readAlert(alert, receivedAt, linkOnly));
    }
    const plan = await retryingTransaction(this.context.db, async (tx) => {
      const plan = await this.#plan(tx, received, receivedAt);
      await carryOut(tx, plan, new Date(receivedAt).toISOString());
      return plan;
    });
    this.#measure(plan);
  }

  async #plan(tx: Transaction, received: ReceivedAlert[], receivedAt: number): Promise<Plan> {
    const catrns = [...new Set(received.flatMap((one) => one.catrn ?? []))];
    const at = new Date(receivedAt).toISOString();
    if (!this.context.config.alerts.deduplicate) {
      return planEach(received, await quietEntities(tx, catrns, at));
    }
    await tx.query(takeTurn);
    const quiet = await quietEntities(tx, catrns, at);
    return planOnce(received, { quiet, ...await knownOf(tx, received) }, receivedAt);
  }

  #measure({ raised, changed, ignored, repeated, halted }: Plan): void {
    const outcomes = {
      raised: raised.length,
      stacked: changed.filter((one) => one.chunks.length > 0).length,
      resolved: changed.filter((one) => one.resolved).length,
      ignored,
      repeated,
      halted,
    };
    for (const [outcome, n] of Object.entries(outcomes)) this.#count.inc({ outcome }, n);
  }
}

/** What is stored about the alerts received. */
async function knownOf(
  tx: Transaction,
  received: ReceivedAlert[],
): Promise<Omit<AlertState, "quiet">> {
  const fingerprints = [...new Set(received.flatMap((one) => one.fingerprint ?? []))];
  const open = await tx.query(lockOpen, [fingerprints]);
  const newestOpen = new Map(open.map(({ fingerprint, id }) => [fingerprint, id]));
  const texts = received.flatMap(({ fingerprint, resolved, description }) => {
    const id = resolved ? undefined : newestOpen.get(fingerprint ?? "");
    return id === undefined ? [] : [{ id, text: description }];
  });
  const keyOf = (id: number, text: string) => `${id} ${text}`;
  const values = [texts.map((t) => t.id), texts.map((t) => t.text)];
  const rows = texts.length === 0 ? [] : await tx.query(saidAlready, values);
  const said = new Set(rows.map(({ id, text }) => keyOf(id, text)));
  const says: AlertState["says"] = (id, text) => said.has(keyOf(id, text));
  return { open, says, ...await startsOf(tx, fingerprints) };
}

async function carryOut(tx: Transaction, plan: Plan, at: string): Promise<void> {
  const { raised, changed } = plan;
  const { ended } = plan;
  if (ended.size > 0) await tx.query(rememberEnds, [[...ended.keys()], [...ended.values()]]);
  if (raised.length > 0) await raise(tx, raised, at);
  const refOf = ({ id, entityId }: OpenAlert) => ({ id, entityId, type });
  const grown = changed.filter((one) => one.chunks.length > 0);
  await stackAlerts(
    tx,
    grown.map(({ alert, chunks, startsAt }) => ({
      alert: refOf(alert),
      chunks: chunks.slice(-maxChunks),
      startsAt,
    })),
    at,
  );
  await resolveAlerts(tx, changed.filter((one) => one.resolved).map((one) => refOf(one.alert)), at);
}

async function raise(tx: Transaction, raised: AlertInsert[], at: string): Promise<void> {
  const catrns = [...new Set(raised.flatMap(({ catrn }) => catrn ?? []))];
  await ensureEntities(tx, catrns);
  const rows = catrns.length > 0 ? await tx.query(lockIds, [catrns]) : [];
  const entities = new Map(rows.map(({ id, catrn }) => [catrn, id]));
  const entityOf = (catrn: string | null): number | null => {
    if (catrn === null) return null;
    const id = entities.get(catrn);
    if (id === undefined) throw unavailable(`Data entity ${catrn} is being removed`, 1);
    return id;
  };
  const alerts = raised.map(({ catrn, chunks, raisedAt, fingerprint, startsAt, resolved }) => ({
    entityId: entityOf(catrn),
    messengerId: null,
    type,
    chunks: chunks.slice(-maxChunks),
    raisedAt: chunks.length > 1 ? at : raisedAt,
    fingerprint,
    startsAt,
    resolved,
  }));
  for await (const batch of inBatches(alerts, batchSize)) await createAlerts(tx, batch, at);
}

/** Serialises calls that deduplicate: of two concurrent ones, neither would see what the other creates. */
const takeTurn = statement("alert-turn")`SELECT pg_advisory_xact_lock(hashtext('alert_router'))`;

/** Locks the open alerts with these fingerprints, in order of creation. */
const lockOpen = statement<OpenAlert>("alert-open")`
  SELECT id, entity_id AS "entityId", fingerprint,
         iso(coalesce(starts_at, created_at)) AS "startsAt"
    FROM alert
   WHERE status = 1 AND type = ${alertTypeCode("DISTRIBUTION_ANOMALY")}
     AND fingerprint = ANY($1::text[])
   ORDER BY id FOR NO KEY UPDATE`;

const starts = statement<{ fingerprint: string; newest: string | null; ended: string | null }>(
  "alert-starts",
)`
  SELECT f.fingerprint, iso(e.starts_at) AS ended,
         iso((SELECT max(coalesce(a.starts_at, a.created_at)) FROM alert a
               WHERE a.fingerprint = f.fingerprint)) AS newest
    FROM unnest($1::text[]) AS f (fingerprint)
    LEFT JOIN routed_alert_end e ON e.fingerprint = f.fingerprint`;

/** For each fingerprint the newest start of its alerts, and that of an end without an alert. */
async function startsOf(tx: Transaction, fingerprints: string[]) {
  const rows = await tx.query(starts, [fingerprints]);
  const by = (key: "newest" | "ended") =>
    new Map(rows.flatMap((row) => row[key] === null ? [] : [[row.fingerprint, row[key]]] as const));
  return { newest: by("newest"), ended: by("ended") };
}

/** Which of these texts their alerts say already. */
const saidAlready = statement<{ id: number; text: string }>("alert-said")`
  SELECT t.id, t.text FROM unnest($1::bigint[], $2::text[]) AS t (id, text)
   WHERE EXISTS (SELECT FROM alert_chunk c WHERE c.alert_id = t.id AND c.description = t.text)`;

/** Remembers ends of alerts that are not known: start by fingerprint. */
const rememberEnds = statement("alert-keep-ends")`
  INSERT INTO routed_alert_end AS e (fingerprint, starts_at)
  SELECT * FROM unnest($1::text[], $2::timestamptz[]) ORDER BY 1
      ON CONFLICT (fingerprint) DO UPDATE SET recorded_at = now(),
         starts_at = greatest(e.starts_at, excluded.starts_at)`;

const quietStatement = statement<{ catrn: string }>("alert-quiet")`
  SELECT e.catrn FROM data_entity e LEFT JOIN alert_halt_config h ON h.entity_id = e.id
   WHERE e.catrn = ANY($1::text[])
     AND (NOT is_live(e.status) OR h.distribution_anomaly_halt_until > $2::timestamptz)`;

/** Entities on which nothing is raised at a time: deleted ones, and those whose anomalies are halted. */
async function quietEntities(tx: Transaction, catrns: string[], at: string) {
  if (catrns.length === 0) return new Set<string>();
  return new Set((await tx.query(quietStatement, [catrns, at])).map(({ catrn }) => catrn));
}

// Locks the rows, so that no entity is purged while an alert is being attached to it.
const lockIds = statement<{ id: number; catrn: string }>("alert-entities")`
  SELECT id, catrn FROM data_entity WHERE catrn = ANY($1::text[]) ORDER BY id FOR KEY SHARE`;
