import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testCertificate } from "#test/support/engines/certificate.ts";
import {
  type OwnEngine,
  postgresTls,
  startKafka,
  startNeo4j,
  startPostgres,
  startRedis,
} from "#test/support/engines/own-engines.ts";

export type Env = Record<string, string>;
export type EngineName = "PostgreSQL" | "Kafka" | "Neo4j" | "Redis";

/** One of each engine, reached by TLS alone, with a certificate of a private authority. */
export interface TlsEngines {
  /** Configuration that is let in, as environment; `more` is laid over it. */
  env(more?: Env): Env;
  /** The variables of an engine, and its URL, Kafka's with a scheme of ours. */
  of(name: EngineName): { address: string; authority: string; url: string };
  /** Writes a file beside theirs; its path. */
  file(name: string, text: string): string;
  stop(): Promise<void>;
}

const variables: Record<EngineName, { address: string; authority: string }> = {
  PostgreSQL: {
    address: "METADATA_POSTGRES_URL",
    authority: "METADATA_POSTGRES_SSL_CA_FILE",
  },
  Kafka: { address: "EVENT_LOG_KAFKA_BROKERS", authority: "EVENT_LOG_KAFKA_SSL_CA_FILE" },
  Neo4j: { address: "GRAPH_NEO4J_URL", authority: "GRAPH_NEO4J_SSL_CA_FILE" },
  Redis: { address: "CACHE_REDIS_URL", authority: "CACHE_REDIS_SSL_CA_FILE" },
};

/** Starts all four; `password` is that of each but PostgreSQL, which has one of its own. */
export async function startTlsEngines(password: string): Promise<TlsEngines> {
  const directory = mkdtempSync(join(tmpdir(), "tributary-tls-"));
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const { ca, ...shown } = testCertificate();
  const tls = { ca, ...shown, password };
  const [kafka, neo4j, redis, postgres] = await Promise.all([
    startKafka(tls),
    startNeo4j(tls),
    startRedis(tls),
    startPostgres(postgresTls(directory, shown)),
  ]);
  const own: OwnEngine[] = [kafka, neo4j, redis, postgres];
  const env = settings(file("right.pem", ca), password, { kafka, neo4j, redis, postgres });
  return {
    env: (more) => ({ ...env, ...more }),
    of(name) {
      const { address } = variables[name];
      return { ...variables[name], url: `${name === "Kafka" ? "kafka://" : ""}${env[address]}` };
    },
    file,
    async stop() {
      await Promise.all(own.map((engine) => engine.stop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function settings(
  ca: string,
  password: string,
  own: Record<"kafka" | "neo4j" | "redis" | "postgres", OwnEngine>,
): Env {
  const postgres = new URL(own.postgres.url);
  postgres.searchParams.set("sslmode", "verify-full");
  return {
    INSTANCE: "tls",
    METADATA_POSTGRES_URL: postgres.href,
    EVENT_LOG_KAFKA_BROKERS: own.kafka.url,
    EVENT_LOG_KAFKA_SSL_ENABLED: "true",
    EVENT_LOG_KAFKA_SASL_MECHANISM: "scram-sha-512",
    EVENT_LOG_KAFKA_SASL_USERNAME: "tributary",
    EVENT_LOG_KAFKA_SASL_PASSWORD: password,
    GRAPH_NEO4J_URL: own.neo4j.url,
    GRAPH_NEO4J_PASSWORD: password,
    CACHE_REDIS_URL: own.redis.url,
    ...Object.fromEntries(Object.values(variables).map(({ authority }) => [authority, ca])),
  };
}
