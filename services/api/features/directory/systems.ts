/** Display names of systems whose CATRNs spell them differently. */
const names = new Map(Object.entries({
  airbyte: "Airbyte",
  airflow: "Airflow",
  athena: "Athena",
  bigquery_storage: "BigQuery",
  cassandra: "Cassandra",
  clickhouse: "ClickHouse",
  databricks: "Databricks",
  dbt: "dbt",
  dynamodb: "DynamoDB",
  elasticsearch: "Elasticsearch",
  feast: "Feast",
  glue: "Glue",
  great_expectations: "Great Expectations",
  hive: "Hive",
  iceberg: "Iceberg",
  kafka: "Kafka",
  kubeflow: "Kubeflow",
  metabase: "Metabase",
  microservice: "Microservices",
  mlflow: "MLflow",
  mongodb: "MongoDB",
  mssql: "SQL Server",
  mysql: "MySQL",
  neo4j: "Neo4j",
  oracle: "Oracle",
  postgresql: "PostgreSQL",
  prefect: "Prefect",
  presto: "Presto",
  quicksight: "QuickSight",
  redash: "Redash",
  redshift: "Redshift",
  s3: "S3",
  sagemaker: "SageMaker",
  snowflake: "Snowflake",
  spark: "Spark",
  sqlite: "SQLite",
  superset: "Superset",
  tableau: "Tableau",
  trino: "Trino",
  vertica: "Vertica",
}));

/** The display name of a system; an unknown system keeps the spelling of its CATRNs. */
export function systemName(system: string): string {
  return names.get(system) ?? system;
}

/**
 * The properties in the CATRN of a source, as key-value pairs after the system:
 * `//postgresql/host/db1/databases/shop` gives host and databases. A trailing key without a value is
 * dropped; of a repeated key the last value wins.
 */
export function sourceProperties(catrn: string): Record<string, string> {
  const parts = catrn.replace(/^\/+/, "").split("/").slice(1);
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    if (parts[i] !== "") pairs.push([parts[i]!, parts[i + 1]!]);
  }
  return Object.fromEntries(pairs);
}
