import type { Actor } from "#contract/actor.ts";
import type { AlertEventType, AlertStatus } from "#contract/alerts.ts";
import type { AlertConfigForm } from "#contract/catalogue/alerts.ts";
import { conflict, notFound } from "#kit/errors.ts";
import { recordAlertEvents } from "#metadata/catalogue/alert-events.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { sqlState, type Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/alerts/changes.queries.ts";
import { staleDays } from "#services/api/stale.ts";

export * from "#services/api/features/alerts/reading.ts";
export { readImpacts } from "#services/api/features/alerts/impact.ts";

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
      const alert = await queries.lockAlert(change.tx, id);
      if (!alert) throw notFound("Alert", id);
      if (alert.status !== status) await applyStatus(context, change, alert, status);
      return await queries.alertJson(change.tx, id, staleDays(context));
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
  alert: queries.LockedAlert,
  status: AlertStatus,
): Promise<void> {
  const { tx, actor } = change;
  const { id, type, entity_id: entityId } = alert;
  if (status === "OPEN") await refuseTwin(tx, id);
  const at = new Date(clock.now()).toISOString();
  await queries.setStatus(tx, id, { status, actor, at });
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
  const twin = await queries.openTwin(tx, id);
  if (twin === undefined) return;
  const message = `alert ${twin} of the same kind is open on the same entity or data source`;
  throw conflict(`Alert ${id} cannot be opened again: ${message}`, [{ field: "status", message }]);
}

/** For each type, until when an entity raises no alerts (DataEntityAlertConfig). Throws 404. */
export async function readConfig(context: Deps, id: number): Promise<queries.AlertConfig> {
  const config = await queries.alertConfig(context.db, id);
  if (!config) throw notFound("Data entity", id);
  return config;
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
): Promise<queries.AlertConfig> {
  const after: queries.AlertConfig = {
    failed_job_halt_until: form.failed_job_halt_until ?? null,
    failed_dq_test_halt_until: form.failed_dq_test_halt_until ?? null,
    incompatible_schema_halt_until: form.incompatible_schema_halt_until ?? null,
    distribution_anomaly_halt_until: form.distribution_anomaly_halt_until ?? null,
  };
  return changing(context, actor, async (change) => {
    await lockEntity(change.tx, id);
    const before = (await queries.alertConfig(change.tx, id))!;
    if (JSON.stringify(before) === JSON.stringify(after)) return after;
    await queries.putAlertConfig(change.tx, id, after);
    change.record({ type: "ALERT_HALT_CONFIG_UPDATED", entityId: id, before, after });
    return after;
  });
}
