import { joinName } from "#platform/naming/openlineage/parse.ts";
import type { NameRef } from "#platform/naming/openlineage/names.ts";

/** The configuration of a connector. It holds secrets: only what is named here is read. */
export type ConnectorConfig = ReadonlyMap<string, string | null>;

/** The datasets outside of Kafka that a connector of a known class reads or writes; none of another class. */
export function externalDatasets(
  config: ConnectorConfig,
  topics: string[],
  isSink: boolean,
): NameRef[] {
  const name = config.get("connector.class")?.split(".").at(-1) ?? "";
  // Kafka Connect takes the name of a class without its package, and without `Connector`.
  const datasetOf = systems.get(name) ?? systems.get(`${name}Connector`);
  return datasetOf ? topics.flatMap((topic) => datasetOf(config, topic, isSink) ?? []) : [];
}

type System = (config: ConnectorConfig, topic: string, isSink: boolean) => NameRef | undefined;

/** By the last part of the name of the class. */
const systems = new Map<string, System>([
  ["JdbcSinkConnector", jdbc],
  ["JdbcSourceConnector", jdbc],
  ["PostgresConnector", debezium("postgres", "5432", true)],
  ["MySqlConnector", debezium("mysql", "3306", false)],
  ["MariaDbConnector", debezium("mysql", "3306", false)],
  ["SqlServerConnector", debezium("mssql", "1433", true)],
  ["S3SinkConnector", objects],
  ["FileStreamSourceConnector", file],
  ["FileStreamSinkConnector", file],
]);

function file(config: ConnectorConfig): NameRef | undefined {
  const name = config.get("file");
  return name ? { namespace: "file", name } : undefined;
}

const named = (...texts: string[]) => joinName(texts.map((text) => ({ text, quoted: false })));

/** Debezium names a topic `prefix.schema.table`, or `prefix.database.table` where there are no schemas. */
function debezium(scheme: string, port: string, hasSchemas: boolean): System {
  return (config, topic) => {
    const prefix = config.get("topic.prefix") ?? config.get("database.server.name");
    const host = config.get("database.hostname");
    if (!prefix || !host || !topic.startsWith(`${prefix}.`)) return undefined;
    const namespace = `${scheme}://${host}:${config.get("database.port") ?? port}`;
    const parts = topic.slice(prefix.length + 1).split(".");
    const [database] = (config.get("database.dbname") ?? config.get("database.names") ?? "").split(
      ",",
    );
    if (!hasSchemas) {
      return parts.length === 2 ? { namespace, name: named(...parts) } : undefined;
    }
    // SQL Server puts the database into the topic, PostgreSQL does not.
    if (parts.length === 3) return { namespace, name: named(...parts) };
    return parts.length === 2 && database
      ? { namespace, name: named(database, ...parts) }
      : undefined;
  };
}

/** Schema that a table without one is in, by the scheme of its namespace. */
const usualSchema = new Map([["postgres", "public"], ["mssql", "dbo"]]);

/** A table of a JDBC connector. Of its URL only host, port and database are read. */
function jdbc(config: ConnectorConfig, topic: string, isSink: boolean): NameRef | undefined {
  const found = databaseOf(config.get("connection.url") ?? "");
  const table = isSink ? sinkTable(config, topic) : sourceTable(config, topic);
  if (!found || !table) return undefined;
  const { scheme, namespace, database } = found;
  const parts = table.split(".").map((text) => text.replaceAll(/["`[\]]/g, ""));
  const schema = usualSchema.get(scheme);
  const whole = schema !== undefined && parts.length === 1 ? [schema, ...parts] : parts;
  const isQualified = schema === undefined ? whole.length > 1 : whole.length > 2;
  return { namespace, name: named(...(isQualified ? whole : [database, ...whole])) };
}

function databaseOf(url: string) {
  const [, system = "", host, port, database] =
    /^jdbc:(postgresql|mysql|mariadb):\/\/([^:/?#,]+)(?::(\d+))?\/([^?;#/]+)/.exec(url) ?? [];
  if (host === undefined || database === undefined) return undefined;
  const scheme = system === "postgresql" ? "postgres" : "mysql";
  const usual = scheme === "postgres" ? "5432" : "3306";
  return { scheme, namespace: `${scheme}://${host}:${port ?? usual}`, database };
}

function sinkTable(config: ConnectorConfig, topic: string): string {
  const format = config.get("table.name.format") ?? config.get("collection.name.format") ??
    "${topic}";
  return format.replaceAll("${topic}", topic.replaceAll(".", "_"));
}

function sourceTable(config: ConnectorConfig, topic: string): string | undefined {
  const prefix = config.get("topic.prefix") ?? "";
  if (!topic.startsWith(prefix)) return undefined;
  const table = topic.slice(prefix.length);
  const listed = (config.get("table.whitelist") ?? config.get("table.include.list") ?? "").split(
    ",",
  )
    .map((one) => one.trim());
  return listed.find((one) => one === table || one.endsWith(`.${table}`)) ?? table;
}

function objects(config: ConnectorConfig, topic: string): NameRef | undefined {
  const bucket = config.get("s3.bucket.name") ?? config.get("aws.s3.bucket.name");
  const folder = config.get("topics.dir") ?? "topics";
  return bucket ? { namespace: `s3://${bucket}`, name: `${folder}/${topic}` } : undefined;
}
