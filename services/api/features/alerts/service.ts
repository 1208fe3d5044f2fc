import type { Actor } from "#contract/actor.ts";
import {
  type AlertEventType,
  type AlertStatus,
  alertStatusCode,
  type AlertType,
} from "#contract/alerts.ts";
import {
  type AlertConfigForm,
  type AlertSeverity,
  maxAlertImpacts,
} from "#contract/catalogue/alerts.ts";
import { conflict, requireFound } from "#kit/errors.ts";
import { limit } from "#kit/limits.ts";
import { recordAlertEvents } from "#metadata/catalogue/alerts.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { sqlState, type Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { staleDays } from "#services/api/stale.ts";

export * from "#services/api/features/alerts/reading.ts";

/** What is counted for one alert at most: severity is the worst long before that. */
const maxCounted = 1_000;

/** Limits on requests for alerts. */
export const alertLimits = [
  limit("GET /api/alerts/impact", "alerts in one request", maxAlertImpacts),
  limit(
    "GET /api/alerts/impact",
    "assets and levels counted for an alert",
    maxCounted,
    "the response says that there are more",
  ),
];

type Deps = Pick<Context, "db" | "clock" | "config">;

/** The event type that records each new status of an alert. */
const eventOf: Record<AlertStatus, AlertEventType> = {
  OPEN: "REOPENED",
  RESOLVED: "RESOLVED",
  RESOLVED_AUTOMATICALLY: "RESOLVED_AUTOMATICALLY",
};

/**
 * Sets the status of an alert and records it, in one transaction; Alert as JSON text. Setting the
 * current status changes nothing and records no event. Throws 404 for an unknown alert, and 400 for
 * opening it while another alert with the same key is open.
 */
export async function changeStatus(
  context: Deps,
  actor: Actor,
  id: number,
  status: AlertStatus,
): Promise<string> {
  const attempt = () =>
    changing(context, actor, async (change) => {
      const alert = requireFound(await change.tx.query(lock, [id]), "Alert", id);
      if (alert.status !== status) await applyStatus(context, change, alert, status);
      return (await change.tx.query(byId, [id, staleDays(context)]))[0]!.json;
    });
  try {
    return await attempt();
  } catch (error) {
    // An alert with the same key was opened meanwhile; the second attempt can name it in the error.
    if (sqlState(error) === uniqueViolation) return await attempt();
    throw error;
  }
}

const uniqueViolation = "23505";

async function applyStatus(
  { clock }: Pick<Context, "clock">,
  change: Change,
  alert: LockedAlert,
  status: AlertStatus,
): Promise<void> {
  const { tx, actor } = change;
  const { id, type, entity_id: entityId } = alert;
  if (status === "OPEN") await refuseTwin(tx, id);
  const at = new Date(clock.now()).toISOString();
  await tx.query(setStatus, [id, alertStatusCode(status), actor.name, actor.provider, at]);
  await recordAlertEvents(tx, [
    { alertId: id, entityId, type, eventType: eventOf[status], at, actor },
  ]);
  change.record({
    type: "ALERT_STATUS_UPDATED",
    entityId,
    before: { type, status: alert.status },
    after: { type, status },
  });
}

async function refuseTwin(tx: Transaction, id: number): Promise<void> {
  const [twin] = await tx.query(openTwin, [id]);
  if (!twin) return;
  const message = `alert ${twin.id} of the same kind is open on the same entity or data source`;
  throw conflict(`Alert ${id} cannot be opened again: ${message}`, [{ field: "status", message }]);
}

/** For each type, until when an entity raises no alerts (DataEntityAlertConfig). Throws 404. */
export async function readConfig(context: Deps, id: number): Promise<AlertConfig> {
  return requireFound(await context.db.query(configOf, [id]), "Data entity", id).config;
}

/**
 * Sets until when an entity raises no alerts; absent members are cleared. Records an event if
 * something changed. Throws 404. Returns the new configuration.
 */
export function writeConfig(
  context: Deps,
  actor: Actor,
  id: number,
  form: AlertConfigForm,
): Promise<AlertConfig> {
  const after: AlertConfig = {
    failed_job_halt_until: form.failed_job_halt_until ?? null,
    failed_dq_test_halt_until: form.failed_dq_test_halt_until ?? null,
    incompatible_schema_halt_until: form.incompatible_schema_halt_until ?? null,
    distribution_anomaly_halt_until: form.distribution_anomaly_halt_until ?? null,
  };
  return changing(context, actor, async (change) => {
    await lockEntity(change.tx, id);
    const before = (await change.tx.query(configOf, [id]))[0]!.config;
    if (JSON.stringify(before) === JSON.stringify(after)) return after;
    await change.tx.query(putConfig, [
      id,
      after.failed_job_halt_until,
      after.failed_dq_test_halt_until,
      after.incompatible_schema_halt_until,
      after.distribution_anomaly_halt_until,
    ]);
    change.record({ type: "ALERT_HALT_CONFIG_UPDATED", entityId: id, before, after });
    return after;
  });
}

/** An alert, read when its row was locked. */
interface LockedAlert {
  id: number;
  entity_id: number | null;
  type: AlertType;
  status: AlertStatus;
}

const lock = statement<LockedAlert>("alert-lock")`
  SELECT id, entity_id, alert_type_name(type) AS type, alert_status_name(status) AS status
    FROM alert WHERE id = $1 FOR NO KEY UPDATE`;

/**
 * The open alert with the same key, if there is one, by the conditions of the indexes alert_open_key and alert_open_source:
 * distribution anomalies (4) never equal each other, nor do test failures (2) whose test was purged.
 */
const openTwin = statement<{ id: number }>("alert-twin")`
  SELECT o.id FROM alert a JOIN alert o ON o.entity_id = a.entity_id AND o.type = a.type
     AND coalesce(o.messenger_id, 0) = coalesce(a.messenger_id, 0) AND o.status = 1 AND o.id <> a.id
   WHERE a.id = $1 AND a.type <> 4 AND NOT (a.type = 2 AND a.messenger_id IS NULL)
  UNION ALL
  SELECT o.id FROM alert a JOIN alert o ON o.data_source_id = a.data_source_id
     AND o.type = a.type AND o.status = 1 AND o.id <> a.id
   WHERE a.id = $1`;

const setStatus = statement("alert-set-status")`
  UPDATE alert SET status = $2, status_updated_by = $3, status_updated_by_provider = $4,
                   status_updated_at = $5
   WHERE id = $1`;

const byId = statement<JsonRow>("alert-json")`
  SELECT json_alert(a, $2::int)::text AS json FROM alert a WHERE a.id = $1`;

/** DataEntityAlertConfig; times are RFC 3339. */
type AlertConfig = Record<keyof AlertConfigForm, string | null>;

/** For each alert type, until when an entity raises no alerts. */
const configOf = statement<{ config: AlertConfig }>("alert-config")`
  SELECT json_alert_config(e.id) AS config FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

const putConfig = statement("alert-put-config")`
  INSERT INTO alert_halt_config VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (entity_id) DO UPDATE SET
    failed_job_halt_until = excluded.failed_job_halt_until,
    failed_dq_test_halt_until = excluded.failed_dq_test_halt_until,
    incompatible_schema_halt_until = excluded.incompatible_schema_halt_until,
    distribution_anomaly_halt_until = excluded.distribution_anomaly_halt_until`;

/**
 * AlertImpact of each of these alerts that lists show, in their order, each once; walks share the time of one lineage
 * request. `silences`: whether the caller may see them.
 */
export async function readImpacts(
  { db, config }: Pick<Context, "db" | "config">,
  ids: number[],
  { silences }: { silences: boolean },
) {
  const values = [[...new Set(ids)], maxCounted, config.lineage.timeout, silences];
  const rows = await db.reads.query(impactOfAlerts, values);
  return rows.map(({ alert_id, total, consumers, at_least, silence }) => ({
    alert_id,
    severity: severityOf({ total, consumers }),
    affected_total: total,
    affected_consumers: consumers,
    affected_at_least: at_least,
    silence,
  }));
}

interface ImpactRow {
  alert_id: number;
  total: number;
  consumers: number;
  at_least: boolean;
  silence: { id: number; until: string; created_by: string | null; comment: string | null } | null;
}

/**
 * $1 alerts, $2 rows read for each at most, $3 milliseconds after which walks end, $4 whether silences are shown. A row
 * for each alert that lists show, in their order. What is downstream of one entity is counted once.
 */
const impactOfAlerts = statement<ImpactRow>("alerts-impact")`
WITH shown AS MATERIALIZED (
  SELECT a.id, a.entity_id, a.data_source_id, a.type, r.place
    FROM unnest($1::bigint[]) WITH ORDINALITY r (id, place) JOIN alert a ON a.id = r.id
    LEFT JOIN data_entity e ON e.id = a.entity_id
   WHERE a.entity_id IS NULL OR is_live(e.status)
), sourced AS MATERIALIZED (
  SELECT r.data_source_id, count(e.id) AS total,
         count(e.id) FILTER (WHERE (SELECT c.id FROM entity_class c WHERE c.name = 'DATA_CONSUMER') = ANY (e.class_ids)) AS consumers,
         count(e.id) >= $2::bigint AS at_least
    FROM (SELECT DISTINCT data_source_id FROM shown
           WHERE entity_id IS NULL AND data_source_id IS NOT NULL) r
    LEFT JOIN LATERAL (SELECT e.id, e.class_ids FROM data_entity e
                        WHERE e.data_source_id = r.data_source_id AND is_live(e.status)
                        LIMIT $2::bigint) e ON true
   GROUP BY r.data_source_id
)
SELECT s.id AS alert_id, coalesce(d.total, f.total, 0) AS total,
       coalesce(d.consumers, f.consumers, 0) AS consumers,
       coalesce(d.at_least, f.at_least, false) AS at_least,
       CASE WHEN $4::boolean THEN (
         SELECT json_build_object('id', q.id, 'until', iso(q.until), 'created_by', q.created_by,
                                  'comment', q.comment)
           FROM silence_of(s.entity_id, s.type) q) END AS silence
  FROM shown s
  LEFT JOIN downstream_counts(
         (SELECT coalesce(array_agg(DISTINCT entity_id), '{}') FROM shown WHERE entity_id IS NOT NULL),
         $2::bigint, clock_timestamp() + make_interval(secs => $3::float8 / 1000)) d
         ON d.entity_id = s.entity_id
  LEFT JOIN sourced f ON s.entity_id IS NULL AND f.data_source_id = s.data_source_id
 ORDER BY s.place`;

/** What depends on something that fails. */
interface Affected {
  /** Assets of any kind. */
  total: number;
  /** Dashboards and others that people read. */
  consumers: number;
}

/** So many consumers make an alert critical, and so many assets without any. */
const critical = { consumers: 5, total: 100 };
const high = { consumers: 1, total: 20 };

/** How urgent an alert is: first by whom it reaches (consumers), then by how much. */
export function severityOf({ total, consumers }: Affected): AlertSeverity {
  if (consumers >= critical.consumers || total >= critical.total) return "CRITICAL";
  if (consumers >= high.consumers || total >= high.total) return "HIGH";
  return total > 0 ? "MEDIUM" : "LOW";
}
