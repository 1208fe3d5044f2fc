import type { Actor } from "#contract/actor.ts";
import type { AlertStatus, AlertType } from "#contract/alerts.ts";
import type { AlertConfigForm } from "#contract/catalogue/alerts.ts";
import { alertStatusCode } from "#contract/alerts.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

/** An alert, read when its row was locked. */
export interface LockedAlert {
  id: number;
  entity_id: number | null;
  type: AlertType;
  status: AlertStatus;
}

const lock = statement<LockedAlert>("alert-lock")`
  SELECT id, entity_id, alert_type_name(type) AS type, alert_status_name(status) AS status
    FROM alert WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks an alert; undefined for an unknown one. */
export async function lockAlert(tx: Transaction, id: number): Promise<LockedAlert | undefined> {
  return (await tx.query(lock, [id]))[0];
}

// The conditions of the indexes alert_open_key and alert_open_source: distribution anomalies (4) never
// equal each other, nor do test failures (2) whose test was purged.
const twin = statement<{ id: number }>("alert-twin")`
  SELECT o.id FROM alert a JOIN alert o ON o.entity_id = a.entity_id AND o.type = a.type
     AND coalesce(o.messenger_id, 0) = coalesce(a.messenger_id, 0) AND o.status = 1 AND o.id <> a.id
   WHERE a.id = $1 AND a.type <> 4 AND NOT (a.type = 2 AND a.messenger_id IS NULL)
  UNION ALL
  SELECT o.id FROM alert a JOIN alert o ON o.data_source_id = a.data_source_id
     AND o.type = a.type AND o.status = 1 AND o.id <> a.id
   WHERE a.id = $1`;

/** The id of the open alert with the same key, if there is one. */
export async function openTwin(tx: Transaction, id: number): Promise<number | undefined> {
  return (await tx.query(twin, [id]))[0]?.id;
}

const set = statement("alert-set-status")`
  UPDATE alert SET status = $2, status_updated_by = $3, status_updated_by_provider = $4,
                   status_updated_at = $5
   WHERE id = $1`;

/** Writes the status of a locked alert; `at` is RFC 3339. */
export async function setStatus(
  tx: Transaction,
  id: number,
  { status, actor, at }: { status: AlertStatus; actor: Actor; at: string },
): Promise<void> {
  const values = [id, alertStatusCode(status), actor.name, actor.provider, at];
  await tx.query(set, values);
}

const byId = statement<JsonRow>("alert-json")`
  SELECT json_alert(a, $2::int)::text AS json FROM alert a WHERE a.id = $1`;

/** Alert as JSON text. */
export async function alertJson(db: Queryable, id: number, staleDays: number): Promise<string> {
  const rows = await db.query(byId, [id, staleDays]);
  return rows[0]!.json;
}

/** DataEntityAlertConfig; times are RFC 3339. */
export type AlertConfig = Record<keyof AlertConfigForm, string | null>;

const config = statement<{ config: AlertConfig }>("alert-config")`
  SELECT json_alert_config(e.id) AS config FROM data_entity e WHERE e.id = $1 AND NOT e.hollow`;

/** For each alert type, until when the entity raises no alerts; undefined for an unknown or hollow entity. */
export async function alertConfig(db: Queryable, id: number): Promise<AlertConfig | undefined> {
  return (await db.query(config, [id]))[0]?.config;
}

const putConfig = statement("alert-put-config")`
  INSERT INTO alert_halt_config VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (entity_id) DO UPDATE SET
    failed_job_halt_until = excluded.failed_job_halt_until,
    failed_dq_test_halt_until = excluded.failed_dq_test_halt_until,
    incompatible_schema_halt_until = excluded.incompatible_schema_halt_until,
    distribution_anomaly_halt_until = excluded.distribution_anomaly_halt_until`;

/** Writes all members. */
export async function putAlertConfig(tx: Transaction, id: number, to: AlertConfig): Promise<void> {
  await tx.query(putConfig, [
    id,
    to.failed_job_halt_until,
    to.failed_dq_test_halt_until,
    to.incompatible_schema_halt_until,
    to.distribution_anomaly_halt_until,
  ]);
}
