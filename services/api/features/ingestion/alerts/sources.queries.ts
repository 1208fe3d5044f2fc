import type { SourceAlertType } from "#contract/alerts.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

export interface AlertSource {
  id: number;
  catrn: string;
  name: string;
}

const lock = statement<AlertSource>("source-alerts-lock-sources")`
  SELECT id, catrn, name FROM data_source WHERE catrn = ANY($1::text[])
   ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks data sources, so that calls that report on one source are serialized; batches, which only refer to it,
 * do not wait.
 */
export function lockSources(tx: Transaction, catrns: string[]): Promise<AlertSource[]> {
  return tx.query(lock, [catrns]);
}

export interface OpenSourceAlert {
  id: number;
  dataSourceId: number;
  type: SourceAlertType;
}

const open = statement<OpenSourceAlert>("source-alerts-open")`
  SELECT id, data_source_id AS "dataSourceId", alert_type_name(type) AS type FROM alert
   WHERE status = 1 AND data_source_id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;

/** Locks the open alerts about these data sources. */
export function lockOpenOf(tx: Transaction, sources: number[]): Promise<OpenSourceAlert[]> {
  return tx.query(open, [sources]);
}
