/** How OpenLineage, whose rules name datasets, writes the namespace of a platform of DataHub. */
export interface PlatformRule {
  scheme: string;
  /** Whether its namespaces hold a host, which DataHub does not report. */
  isHosted: boolean;
}

const hosted = (scheme: string): PlatformRule => ({ scheme, isHosted: true });

/** Platforms whose datasets are named as those of other producers. */
export const platformRules: ReadonlyMap<string, PlatformRule> = new Map([
  ["postgres", hosted("postgres")],
  ["mysql", hosted("mysql")],
  ["mariadb", hosted("mysql")],
  ["clickhouse", hosted("clickhouse")],
  ["hive", hosted("hive")],
  ["snowflake", hosted("snowflake")],
  ["redshift", hosted("redshift")],
  ["mssql", hosted("mssql")],
  ["oracle", hosted("oracle")],
  ["trino", hosted("trino")],
  ["presto", hosted("presto")],
  ["cassandra", hosted("cassandra")],
  ["mongodb", hosted("mongodb")],
  ["databricks", hosted("databricks")],
  ["kafka", hosted("kafka")],
  ["bigquery", { scheme: "bigquery", isHosted: false }],
  ["s3", { scheme: "s3", isHosted: false }],
  ["gcs", { scheme: "gs", isHosted: false }],
]);
