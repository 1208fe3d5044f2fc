import { z } from "zod";
import type { KafkaSettings } from "#contract/connections/kafka.ts";
import { catrnsOf, type NameRef } from "#platform/naming/openlineage/names.ts";
import { joinTexts } from "#platform/naming/openlineage/parse.ts";
import { SourceError } from "#platform/connections/source-error.ts";
import { type Finding, isIncluded, problemFinding, type Session } from "../../connector.ts";
import { answerOf, basicAuth, SourceHttp, unlessStatus } from "../../http.ts";
import { connectorCatrn, connectorItem, topicCatrn } from "./items.ts";

const Connector = z.object({
  info: z.object({
    type: z.string().nullish(),
    config: z.record(z.string(), z.string().nullable()),
    tasks: z.array(z.unknown()).catch([]),
  }),
});
const Connectors = z.record(z.string(), z.unknown());
/** Topics are not known: the name of the connector cannot be in a path, tracking is off, or the cluster is older. */
const untracked = [400, 403, 404];

const Topics = z.record(z.string(), z.object({ topics: z.array(z.string()) }));

/** The connectors of a cluster of Kafka Connect. */
export class ConnectCluster {
  readonly #http: SourceHttp;

  constructor(private readonly session: Session<KafkaSettings>, url: string) {
    const { connect_user, ca } = session.settings;
    const authorization = basicAuth(connect_user, session.secrets.get("connect_password"));
    this.#http = new SourceHttp(session, { base: url, authorization, ca });
  }

  /** Names of the connectors with what the cluster says of each. Throws a `SourceError`. */
  async list(): Promise<[name: string, given: unknown][]> {
    const answer = await this.#http.json("connectors?expand=info");
    const connectors = answerOf("Kafka Connect", Connectors, answer, "connectors");
    return Object.entries(connectors).sort(([a], [b]) => a < b ? -1 : 1);
  }

  /** The items of the connectors; one that fails costs itself only. */
  async *findings(topics: ReadonlySet<string>): AsyncGenerator<Finding> {
    const { settings, source } = this.session;
    for (const [name, given] of await this.list()) {
      if (!isIncluded(name, { include: [], exclude: settings.exclude })) continue;
      try {
        const finding = await this.#finding(name, given, topics);
        if (finding) yield finding;
      } catch (error) {
        yield problemFinding(`connector ${name}`, error, connectorCatrn(source, name));
      }
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #finding(
    name: string,
    given: unknown,
    known: ReadonlySet<string>,
  ): Promise<Finding | null> {
    const parsed = Connector.safeParse(given);
    if (!parsed.success) throw new SourceError(name, "its configuration is not readable");
    const { source } = this.session;
    const config = new Map(Object.entries(parsed.data.info.config));
    const used = (await this.#topics(name, config)).filter((topic) => known.has(topic));
    if (used.length === 0) return null;
    const isSink = isSinkOf(parsed.data.info.type, config);
    const topics = used.map((topic) => topicCatrn(source, topic));
    const others = this.#others(config, used, isSink);
    const [inputs, outputs] = isSink ? [topics, others] : [others, topics];
    const metadata = {
      class: config.get("connector.class") ?? "",
      type: isSink ? "sink" : "source",
      tasks: parsed.data.info.tasks.length,
    };
    const item = connectorItem(connectorCatrn(source, name), { name, metadata, inputs, outputs });
    return { kind: "item", item };
  }

  /** Topics that it has used, and those of its configuration. */
  async #topics(name: string, config: ConnectorConfig): Promise<string[]> {
    const path = `connectors/${encodeURIComponent(name)}/topics`;
    const used = await unlessStatus(this.#http.json(path), untracked);
    const found = Object.values(Topics.safeParse(used).data ?? {}).flatMap(({ topics }) => topics);
    const listed = ["topics", "topic"].flatMap((one) => (config.get(one) ?? "").split(","))
      .map((one) => one.trim()).filter((one) => one !== "");
    return [...new Set([...found, ...listed])].sort();
  }

  #others(config: ConnectorConfig, topics: string[], isSink: boolean): string[] {
    return externalDatasets(config, topics, isSink)
      .map((ref) => catrnsOf(ref, this.session.naming).catrn);
  }
}

function isSinkOf(type: string | null | undefined, config: ConnectorConfig): boolean {
  if (type === "sink" || type === "source") return type === "sink";
  return config.has("topics") || config.has("topics.regex");
}

/** The configuration of a connector. It holds secrets: only what is named here is read. */
type ConnectorConfig = ReadonlyMap<string, string | null>;

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

/** Debezium names a topic `prefix.schema.table`, or `prefix.database.table` where there are no schemas. */
function debezium(scheme: string, port: string, hasSchemas: boolean): System {
  return (config, topic) => {
    const prefix = config.get("topic.prefix") ?? config.get("database.server.name");
    const host = config.get("database.hostname");
    if (!prefix || !host || !topic.startsWith(`${prefix}.`)) return undefined;
    const namespace = `${scheme}://${host}:${config.get("database.port") ?? port}`;
    const parts = topic.slice(prefix.length + 1).split(".");
    const databases = config.get("database.dbname") ?? config.get("database.names") ?? "";
    const [database] = databases.split(",");
    if (!hasSchemas) {
      return parts.length === 2 ? { namespace, name: joinTexts(parts) } : undefined;
    }
    // SQL Server puts the database into the topic, PostgreSQL does not.
    if (parts.length === 3) return { namespace, name: joinTexts(parts) };
    return parts.length === 2 && database
      ? { namespace, name: joinTexts([database, ...parts]) }
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
  return { namespace, name: joinTexts(isQualified ? whole : [database, ...whole]) };
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
  const listed = config.get("table.whitelist") ?? config.get("table.include.list") ?? "";
  const names = listed.split(",").map((one) => one.trim());
  return names.find((one) => one === table || one.endsWith(`.${table}`)) ?? table;
}

function objects(config: ConnectorConfig, topic: string): NameRef | undefined {
  const bucket = config.get("s3.bucket.name") ?? config.get("aws.s3.bucket.name");
  const folder = config.get("topics.dir") ?? "topics";
  return bucket ? { namespace: `s3://${bucket}`, name: `${folder}/${topic}` } : undefined;
}
