/** Letters for technologies whose first two letters are those of another one, or that people write otherwise. */
const usual: ReadonlyMap<string, string> = new Map(Object.entries({
  airflow: "Af",
  api: "API",
  bigquery: "BQ",
  clickhouse: "CH",
  databricks: "Dbx",
  dbt: "dbt",
  duckdb: "Dk",
  dynamodb: "Dy",
  elasticsearch: "Es",
  feast: "Fs",
  grpc: "gRPC",
  kafka: "Kf",
  kubeflow: "Kb",
  mlflow: "ML",
  mongo: "Mg",
  mongodb: "Mg",
  mssql: "MS",
  mysql: "My",
  openlineage: "OL",
  postgresql: "Pg",
  powerbi: "PBI",
  redash: "Rh",
  redis: "Rd",
  redshift: "Rs",
  sagemaker: "SM",
  snowflake: "Sf",
  superset: "Ss",
  tableau: "Tb",
}));

/** What stands for a technology where there is no room for its name: at most four letters, no trademark. */
export function lettersOf(technology: string): string {
  return usual.get(technology) ?? technology.charAt(0).toUpperCase() + technology.slice(1, 2);
}
