import { z } from "zod";

const port = z.int().min(0).max(65_535);
const hostname = z.string().min(1);
const days = z.int().min(1).max(36_500);

/** `10 s`, `500 ms`, `2 min`, `7 d`, or a plain number of milliseconds; milliseconds within. */
const duration = (standard: string) =>
  z.union([z.string(), z.number()]).default(standard).transform((value, context) => {
    const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|min|h|d)?\s*$/.exec(String(value));
    if (!match) {
      context.addIssue({ code: "custom", message: "must be a duration such as 500 ms, 10 s, 2 h" });
      return z.NEVER;
    }
    const units = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
    return Number(match[1]) * units[(match[2] ?? "ms") as keyof typeof units];
  });

/** `20 MB`, `512 kB`, or a plain number of bytes; bytes within (1 kB = 1,024). */
const bytes = (standard: string) =>
  z.union([z.string(), z.number()]).default(standard).transform((value, context) => {
    const match = /^\s*(\d+)\s*(B|kB|KB|MB|GB)?\s*$/.exec(String(value));
    if (!match) {
      context.addIssue({ code: "custom", message: "must be a size such as 512 kB or 20 MB" });
      return z.NEVER;
    }
    const units = { B: 1, kB: 1_024, KB: 1_024, MB: 1_048_576, GB: 1_073_741_824 };
    return Number(match[1]) * units[(match[2] ?? "B") as keyof typeof units];
  });

const kafka = z.object({
  brokers: z.string().optional(),
  partitions: z.int().min(1).max(1_000).default(6),
  "replication-factor": z.int().min(1).max(10).default(1),
  ssl: z.strictObject({
    enabled: z.boolean().default(false),
    "ca-file": z.string().optional(),
  }).prefault({}),
  sasl: z.strictObject({
    mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]).optional(),
    username: z.string().optional(),
    password: z.string().optional(),
  }).prefault({}),
});

/** Every configuration key, its default and what is allowed; the only place that knows them. */
export const Config = z.strictObject({
  instance: z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/).default("tributary"),
  server: z.strictObject({
    host: hostname.default("127.0.0.1"),
    port: port.default(8080),
  }).prefault({}),
  data: z.strictObject({ dir: z.string().min(1).default("./data") }).prefault({}),
  "event-log": z.strictObject({ kafka: kafka.strict().prefault({}) }).prefault({}),
  graph: z.strictObject({
    neo4j: z.strictObject({
      url: z.string().optional(),
      username: z.string().default("neo4j"),
      password: z.string().default(""),
      database: z.string().default("neo4j"),
    }).prefault({}),
  }).prefault({}),
  metadata: z.strictObject({
    postgres: z.strictObject({
      url: z.string().optional(),
      "max-connections": z.int().min(4).max(500).default(24),
    }).prefault({}),
  }).prefault({}),
  cache: z.strictObject({ redis: z.strictObject({ url: z.string().optional() }).prefault({}) })
    .prefault({}),
  ingestion: z.strictObject({
    "ack-timeout": duration("10 s"),
    "max-body-size": bytes("20 MB"),
  }).prefault({}),
  lineage: z.strictObject({
    "max-nodes": z.int().min(1).max(1_000_000).default(20_000),
    timeout: duration("10 s"),
  }).prefault({}),
  auth: z.strictObject({ type: z.enum(["DISABLED"]).default("DISABLED") }).prefault({}),
  catalog: z.strictObject({
    "platform-base-url": z.url().default("http://localhost:8080"),
    "data-entity-stale-period": days.default(7),
  }).prefault({}),
  housekeeping: z.strictObject({
    enabled: z.boolean().default(true),
    ttl: z.strictObject({
      search_facets_days: days.default(30),
      data_entity_delete_days: days.default(30),
    }).prefault({}),
  }).prefault({}),
});
export type Config = z.output<typeof Config>;
