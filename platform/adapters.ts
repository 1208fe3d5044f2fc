import { join } from "node:path";
import type { Cache } from "#cache/port.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { LineageGraph, LineageHistory } from "#graph/port.ts";
import { readAuthority } from "#platform/config/authority.ts";
import type { ForeignKafkaConfig } from "#platform/config/integrations.ts";
import type { Context } from "#platform/context.ts";
import { guarded } from "#storage/guarded.ts";
import type { ObjectStorage } from "#storage/port.ts";
import type { S3Options } from "#storage/s3-bucket.ts";

type AdapterDeps = Pick<Context, "config" | "db" | "wakeups" | "clock" | "log" | "metrics">;

/** Kafka when its brokers are configured, otherwise PostgreSQL. Client libraries load on first use. */
export async function createEventLog(deps: AdapterDeps): Promise<EventLog> {
  const { kafka } = deps.config["event-log"];
  const { config, db, wakeups, clock, log, metrics } = deps;
  if (!kafka.brokers) {
    const { postgresEventLog } = await import("#eventlog/postgres/log.ts");
    return postgresEventLog({ db, wakeups, clock, log, metrics });
  }
  const { kafkaEventLog } = await import("#eventlog/kafka/log.ts");
  return kafkaEventLog({
    brokers: addressesOf(kafka.brokers),
    instance: config.instance,
    replicationFactor: kafka["replication-factor"],
    ssl: tlsOf(kafka.ssl),
    sasl: signInOf(kafka.sasl),
    // A process that starts later compares this commit with PostgreSQL.
    note: () => db.guard?.mark(),
    refusal: () => missingCommits(db),
    clock,
    log,
    metrics,
  });
}

function missingCommits({ guard }: Context["db"]): string | undefined {
  const refusal = guard?.refusal;
  return refusal?.state === "commits_missing" ? refusal.error.message : undefined;
}

/** A Kafka of others, by its configuration, whose key is `key`; connects on first use. */
export async function createForeignLog(
  { config, clock, log, metrics }: Pick<Context, "config" | "clock" | "log" | "metrics">,
  key: string,
  { brokers = "", ssl, sasl }: ForeignKafkaConfig,
): Promise<EventLog> {
  const { kafkaEventLog } = await import("#eventlog/kafka/log.ts");
  return kafkaEventLog({
    brokers: addressesOf(brokers),
    instance: config.instance,
    // Nothing is made there.
    replicationFactor: 1,
    ssl: tlsOf(ssl, `${key}.ssl.ca-file`),
    sasl: signInOf(sasl),
    clock,
    log,
    metrics,
  });
}

const addressesOf = (brokers: string) => brokers.split(",").map((broker) => broker.trim());

type KafkaConfig = Context["config"]["event-log"]["kafka"];

function tlsOf(
  ssl: KafkaConfig["ssl"],
  key = "event-log.kafka.ssl.ca-file",
): { ca?: string } | undefined {
  if (!ssl.enabled) return undefined;
  return { ca: readAuthority(key, ssl["ca-file"]) };
}

function signInOf({ mechanism, username = "", password = "" }: KafkaConfig["sasl"]) {
  return mechanism ? { mechanism, username, password } : undefined;
}

/** Neo4j when its URL is configured, otherwise queries in PostgreSQL. */
export async function createGraph(deps: AdapterDeps): Promise<LineageGraph> {
  const { neo4j } = deps.config.graph;
  if (!neo4j.url) {
    const { PostgresGraph } = await import("#graph/postgres/postgres.ts");
    return new PostgresGraph(deps.db);
  }
  const { Neo4jGraph } = await import("#graph/neo4j/neo4j.ts");
  const { url, username, password, database, ssl } = neo4j;
  const caFile = ssl["ca-file"];
  readAuthority("graph.neo4j.ssl.ca-file", caFile);
  const { instance } = deps.config;
  return new Neo4jGraph({ url, username, password, database, caFile, instance });
}

/** Queries in PostgreSQL, where the history is, on either set of engines. */
export async function createHistory({ db }: AdapterDeps): Promise<LineageHistory> {
  const { PostgresHistory } = await import("#graph/postgres/history.ts");
  return new PostgresHistory(db);
}

/** Redis when its URL is configured, otherwise memory. */
export async function createCache(deps: AdapterDeps): Promise<Cache> {
  const { url, ssl } = deps.config.cache.redis;
  const { log, metrics } = deps;
  if (!url) {
    const { memoryCache } = await import("#cache/memory.ts");
    return memoryCache({ metrics, clock: deps.clock });
  }
  const { redisCache } = await import("#cache/redis.ts");
  const ca = readAuthority("cache.redis.ssl.ca-file", ssl["ca-file"]);
  return redisCache({ url, ca, prefix: `${deps.config.instance}:`, log, metrics });
}

/** A server that speaks S3 when `attachment.storage` says so, otherwise a directory. Opens nothing before its first use. */
export async function createStorage({ config, log, metrics }: AdapterDeps): Promise<ObjectStorage> {
  const { storage, local, remote } = config.attachment;
  if (storage === "LOCAL") {
    const { LocalStorage } = await import("#storage/local.ts");
    return guarded(new LocalStorage(local.path ?? join(config.data.dir, "attachments")), {
      log,
      metrics,
    });
  }
  const { S3Storage } = await import("#storage/s3.ts");
  const prefix = `${config.instance}/`;
  return guarded(new S3Storage({ ...s3OptionsOf(remote), prefix }), { log, metrics });
}

/** How to reach the S3 server of the attachments, whatever the bucket's prefix. */
export function s3OptionsOf(
  { url = "", bucket = "", region, ssl, ...account }: Context["config"]["attachment"]["remote"],
): Omit<S3Options, "prefix"> {
  return {
    url,
    bucket,
    region,
    ca: readAuthority("attachment.remote.ssl.ca-file", ssl["ca-file"]),
    accessKey: account["access-key"] ?? "",
    secretKey: account["secret-key"] ?? "",
  };
}
