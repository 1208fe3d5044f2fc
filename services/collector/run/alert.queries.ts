import { statement } from "#metadata/postgres/statement.ts";

/** $1 CATRN: locks the data source, as reports of collectors do. */
export const lockSource = statement<{ id: number }>("collector-alert-source")`
  SELECT id FROM data_source WHERE catrn = $1 FOR NO KEY UPDATE`;

/** $1 data source: the open alert that it cannot be read. */
export const openAlert = statement<{ id: number }>("collector-alert-open")`
  SELECT id FROM alert WHERE status = 1 AND data_source_id = $1 AND alert_type_name(type) = 'DATA_SOURCE_CONNECTION_ERROR'
   ORDER BY id LIMIT 1 FOR NO KEY UPDATE`;
