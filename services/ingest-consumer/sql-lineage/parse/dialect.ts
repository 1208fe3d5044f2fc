import { segmentsOf } from "#platform/naming/candidate-name.ts";
import type { SqlDataset } from "../model.ts";

/** First segments of CATRNs, and the dialect of SQL that is spoken there. */
const dialects: [system: RegExp, dialect: string][] = [
  [/^(postgres(ql)?|greenplum|alloydb)$/, "postgresql"],
  [/^(mysql|mariadb)$/, "mysql"],
  [/^(mssql|sqlserver|azuresql|synapse)$/, "tsql"],
  [/^(databricks|unity)/, "databricks"],
  [/^bigquery/, "bigquery"],
  [/^cockroach/, "cockroachdb"],
  [/^(spark|iceberg|delta)/, "spark"],
  [
    /^(athena|clickhouse|doris|dremio|drill|druid|duckdb|exasol|hive|materialize|oracle|presto|redshift|risingwave|singlestore|snowflake|sqlite|starrocks|teradata|tidb|trino)$/,
    "",
  ],
];

/** The dialect of SQL: that of what it writes, else of what it reads; the generic one if neither is known. */
export function dialectOf(outputs: SqlDataset[], inputs: SqlDataset[]): string {
  for (const { catrn } of [...outputs, ...inputs]) {
    const system = (segmentsOf(catrn)[0] ?? "").toLowerCase();
    const found = dialects.find(([form]) => form.test(system));
    if (found) return found[1] || system;
  }
  return "generic";
}
