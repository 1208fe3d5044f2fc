import { alertTypeCode } from "#contract/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { OpenAlert } from "./plan.ts";

const lock = statement("alert-turn")`SELECT pg_advisory_xact_lock(hashtext('alert_router'))`;

/**
 * Serialises calls that deduplicate: of two concurrent ones, neither would see what the other
 * creates.
 */
export async function takeTurn(tx: Transaction): Promise<void> {
  await tx.query(lock);
}

const open = statement<OpenAlert>("alert-open")`
  SELECT id, entity_id AS "entityId", fingerprint FROM alert
   WHERE status = 1 AND type = ${alertTypeCode("DISTRIBUTION_ANOMALY")}
     AND fingerprint = ANY($1::text[])
   ORDER BY id FOR NO KEY UPDATE`;

/** Locks the open alerts with these fingerprints, in order of creation. */
export function lockOpen(tx: Transaction, fingerprints: string[]): Promise<OpenAlert[]> {
  return tx.query(open, [fingerprints]);
}

// Locks the rows, so that no entity is purged while an alert is being attached to it.
const entities = statement<{ id: number; catrn: string }>("alert-entities")`
  SELECT id, catrn FROM data_entity WHERE catrn = ANY($1::text[]) ORDER BY id FOR KEY SHARE`;

/** Ids by CATRN. */
export async function entityIds(tx: Transaction, catrns: string[]): Promise<Map<string, number>> {
  const rows = await tx.query(entities, [catrns]);
  return new Map(rows.map(({ id, catrn }) => [catrn, id]));
}
