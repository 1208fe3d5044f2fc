import { z } from "zod";
import {
  address,
  demands,
  kafkaSecurity,
  someBytes,
  someTime,
  ssl,
} from "#platform/config/kinds.ts";

export const kafka = z.strictObject({
  brokers: z.string().optional().describe(
    "Kafka brokers, `host:port` separated by commas; unset: the log is stored in PostgreSQL",
  ),
  partitions: z.int().min(1).max(1_000).default(6).describe(
    "Partitions of each topic, when it is made",
  ),
  "replication-factor": z.int().min(1).max(10).default(1).describe("Replicas of each partition"),
  ...kafkaSecurity("the brokers"),
}).superRefine(({ brokers, ssl, sasl }, context) => {
  const { demand, idle } = demands(context);
  if (!brokers) {
    const without = "without event-log.kafka.brokers";
    idle(ssl.enabled, ["ssl", "enabled"], without);
    idle(ssl["ca-file"], ["ssl", "ca-file"], without);
    idle(sasl.mechanism, ["sasl", "mechanism"], without);
  }
  if (brokers && !ssl.enabled) {
    idle(ssl["ca-file"], ["ssl", "ca-file"], "unless event-log.kafka.ssl.enabled is true");
  }
  for (const name of ["username", "password"] as const) {
    if (sasl.mechanism) demand(sasl[name], ["sasl", name], "event-log.kafka.sasl.mechanism is set");
    else idle(sasl[name], ["sasl", name], "without event-log.kafka.sasl.mechanism");
  }
});

const secured = (url: string | undefined) => /^(bolt|neo4j)\+s:/i.test(url ?? "");

export const neo4j = z.strictObject({
  url: address("bolt://host:7687", ["bolt", "neo4j", "bolt+s", "neo4j+s"])
    .refine(
      (text) => !/^[^/]*\/\/[^/?#]*@/.test(text),
      "must hold no user: graph.neo4j.username and graph.neo4j.password sign in",
    )
    .optional().describe(
      "Bolt address, `neo4j+s://` or `bolt+s://` for TLS; unset: lineage is traversed in PostgreSQL",
    ),
  username: z.string().default("neo4j").describe("User at Neo4j"),
  password: z.string().default("").describe("Password at Neo4j"),
  database: z.string().default("neo4j").describe("Database at Neo4j"),
  ssl: ssl(),
}).superRefine(({ url, password, ssl }, context) => {
  const { idle } = demands(context);
  if (!url) idle(password, ["password"], "without graph.neo4j.url");
  if (!secured(url)) {
    idle(ssl["ca-file"], ["ssl", "ca-file"], "unless graph.neo4j.url is neo4j+s:// or bolt+s://");
  }
});

export const postgres = z.strictObject({
  url: address("postgres://user:password@host/database", ["postgres", "postgresql"]).optional()
    .describe(
      "`postgres://user:password@host/database`, with `?sslmode=verify-full` for TLS; unset: the packaged server",
    ),
  "max-connections": z.int().min(4).max(500).default(24).describe("Connections of one process"),
  ssl: ssl(),
}).superRefine(verifiedByCaFile("metadata.postgres.url"));

export const redis = z.strictObject({
  url: address("redis://host:6379", ["redis", "rediss"]).optional().describe(
    "`redis://` or, for TLS, `rediss://` address; unset: the cache is in memory",
  ),
  ssl: ssl(),
}).superRefine(({ url, ssl }, context) => {
  if (/^rediss:/i.test(url ?? "")) return;
  demands(context).idle(
    ssl["ca-file"],
    ["ssl", "ca-file"],
    "unless cache.redis.url is rediss://",
  );
});

/** Where the rows of lookup tables are stored, and how many. */
export const lookup = z.strictObject({
  url: address("postgres://user:password@host/database", ["postgres", "postgresql"]).optional()
    .describe(
      "PostgreSQL database of the rows of lookup tables; unset: that of the metadata, in the schema `tributary_lookup`",
    ),
  "max-connections": z.int().min(2).max(500).default(8).describe(
    "Connections of one process to that database",
  ),
  ssl: ssl(),
  "max-rows": z.int().min(1).max(100_000_000).default(1_000_000).describe(
    "Maximum number of rows of a lookup table",
  ),
  "max-import-size": someBytes("100 MB").describe("Largest CSV file that is imported at once"),
  "import-timeout": someTime("5 min").describe(
    "Maximum duration of an import or export of a lookup table",
  ),
}).superRefine(verifiedByCaFile("metadata.lookup.url"));

/** Reports a CA file of a PostgreSQL server whose certificate the address does not demand to be verified. */
function verifiedByCaFile(key: string) {
  return (
    { url, ssl }: { url?: string | undefined; ssl: { "ca-file"?: string | undefined } },
    context: z.core.$RefinementCtx,
  ) => {
    if (URL.parse(url ?? "")?.searchParams.get("sslmode") === "verify-full") return;
    const without = `unless ${key} has sslmode=verify-full`;
    demands(context).idle(ssl["ca-file"], ["ssl", "ca-file"], without);
  };
}
