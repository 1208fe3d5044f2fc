import { z } from "zod";
import { Config } from "#platform/config/schema.ts";

/** One configuration key, as derived from the schema. */
export interface ConfigKey {
  /**
   * Dotted, as in the file: `event-log.kafka.brokers`; `{id}` stands for a name that the operator chooses, `{n}` for
   * the place in a list, from 0.
   */
  key: string;
  /** As in the environment: `EVENT_LOG_KAFKA_BROKERS`; `<ID>` and `<N>` for those. */
  env: string;
  type: "string" | "number" | "boolean";
  description: string;
  default: unknown;
  /** Allowed values or format, as text for people. */
  allowed: string;
}

interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

/** Stands in a key for a name that the operator chooses. */
const chosen = "{id}";
/** Stands in a key for a place in a list. */
const place = "{n}";

/** The environment name of a key: upper case, dots and hyphens as underscores. */
export function envName(key: string): string {
  return key.replace(/\{(id|n)\}/, "<$1>").replace(/[.-]/g, "_").toUpperCase();
}

let keys: readonly ConfigKey[] | undefined;

/** Every key of the schema, in schema order. */
export function configKeys(): readonly ConfigKey[] {
  return keys ??= collect(z.toJSONSchema(Config, { io: "input" }) as JsonSchema, "");
}

function collect(schema: JsonSchema, prefix: string): ConfigKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (property.properties) return collect(property, key);
    const { additionalProperties: each, items } = property;
    if (items?.properties) return collect(items, `${key}.${place}`);
    return typeof each === "object" ? collect(each, `${key}.${chosen}`) : [describe(key, property)];
  });
}

function describe(key: string, schema: JsonSchema): ConfigKey {
  return {
    key,
    env: envName(key),
    type: typeOf(schema),
    description: schema.description ?? "",
    default: schema.default,
    allowed: allowed(schema),
  };
}

function typeOf(schema: JsonSchema): ConfigKey["type"] {
  if (schema.type === "integer" || schema.type === "number") return "number";
  return schema.type === "boolean" ? "boolean" : "string";
}

function allowed(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.join(", ");
  if (schema.type === "boolean") return "true, false";
  if (schema.type === "number" && schema.minimum !== undefined) {
    return `number ${schema.minimum} to ${schema.maximum}`;
  }
  if (schema.type === "integer") return `integer ${schema.minimum} to ${schema.maximum}`;
  if (schema.anyOf?.some(({ type }) => type === "array")) return "text, or a list of texts";
  if (schema.anyOf || Array.isArray(schema.type)) return "number with a unit";
  if (schema.format === "uri") return "URL";
  return schema.pattern ? `text matching ${schema.pattern}` : "text";
}

const pageHead = `# Configuration

For operators: every configuration key. This page is generated from \`platform/config/schema.ts\` by \`npm run docs\`.

Set a key in \`tributary.yaml\` (or in the file that \`TRIBUTARY_CONFIG\` names) or by its environment variable, which takes
precedence. \`{id}\` is a name that you choose. \`{n}\` is an index in a list, from 0: the file has a list, and the environment
one variable per entry (\`CATALOG_LINKS_0_TITLE\`). An engine without an address is the embedded one. All errors are reported
together at startup.

Keys of the published contract that Tributary does not have, including \`spring.*\`, are rejected with the equivalent key or the
missing feature ([deviations](../reference/deviations.md)). Variables that may belong to other programs (\`SPRING_…\`,
\`LOGGING_LEVEL_…\`) cause a warning. Other unknown variables are ignored.

These variables have no key: \`LOG_LEVEL\` (\`info\`, \`debug\`), \`LOG_FORMAT\` (\`json\`, \`text\`; by default text on a terminal),
and the OpenTelemetry variables; \`OTEL_EXPORTER_OTLP_ENDPOINT\` enables the export of spans.
`;

/** \`docs/operate/configuration.md\`: every key with its environment name, default and allowed values. */
export function configurationMarkdown(): string {
  const keys = configKeys();
  const retentionKeys = keys.filter((k) => k.key.startsWith("housekeeping.ttl."));
  return [
    pageHead,
    tableOf(keys.filter((k) => !retentionKeys.includes(k)), "Meaning"),
    "\n## Retention\n\nHousekeeping deletes everything older than its key.\n",
    tableOf(retentionKeys, "What is deleted"),
  ].join("\n");
}

function tableOf(keys: readonly ConfigKey[], last: string): string {
  const rows = keys.map((k) =>
    `| \`${k.key}\` | \`${k.env}\` | ${defaultText(k)} | ${
      k.allowed.replaceAll("|", "\\|")
    } | ${k.description} |`
  );
  return [
    `| Key | Environment | Default | Allowed | ${last} |`,
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

function defaultText(key: ConfigKey): string {
  return key.default === undefined || key.default === "" ? "unset" : `\`${String(key.default)}\``;
}

/** A key of the published contract that users may set but that does not exist here. */
interface AbsentKey {
  /** The key, or with `family` the common prefix of several keys. */
  key: string;
  family?: true;
  /** The key that has the same effect here. */
  use?: string;
  /** The missing feature that the key would configure. */
  yet?: string;
  /** Why nothing needs to be set. */
  why?: string;
  /** Only a warning in the environment: other programs may use it, or ignoring it is harmless. */
  mild?: true;
}

const eachOf = (prefix: string, names: string, description: Omit<AbsentKey, "key">): AbsentKey[] =>
  names.split(" ").map((name) => ({ key: `${prefix}.${name}`, ...description }));

const locks = { why: "locks need no numbers here" };

/** Every key of the published contract that the schema lacks; the first match is used. */
export const absentKeys: AbsentKey[] = [
  { key: "spring.datasource", family: true, use: "metadata.postgres.url" },
  { key: "spring.custom-datasource", family: true, use: "metadata.lookup.url" },
  { key: "spring.codec.max-in-memory-size", use: "ingestion.max-body-size" },
  { key: "spring.session", family: true, use: "session.idle-timeout" },
  { key: "spring", family: true, why: "docs/operate/configuration.md has every key", mild: true },
  ...eachOf("metrics", "storage prometheus-host", {
    yet: "metrics of entities are stored in PostgreSQL",
  }),
  ...eachOf("metrics.export", "enabled otlp-endpoint", { yet: "export of metrics of entities" }),
  { key: "partition.advisory-lock-id", ...locks },
  ...eachOf(
    "datacollaboration",
    "receive-event-advisory-lock-id sender-message-advisory-lock-id",
    locks,
  ),
  {
    key: "datacollaboration.message-partition-period",
    why: "the table of messages has no partitions",
  },
  { key: "catalog.tenant-id", yet: "tenants" },
  { key: "catalog.activity.partition-period", why: "a partition holds 30 days" },
  { key: "management", family: true, why: "/health and /metrics are always there", mild: true },
  { key: "springdoc", family: true, why: "/api/v3/api-docs is always there", mild: true },
  { key: "logging.level", family: true, why: "the variable LOG_LEVEL decides", mild: true },
];

/** Why a key in a file is not supported; undefined for a key that was never published. */
export function absentInFile(key: string): string | undefined {
  const found = absentKeys.find((one) => key === one.key || key.startsWith(`${one.key}.`));
  // Braces or a colon turn a value into keys; those may then be secret, so they are not printed.
  return found && `${found.family ? key : found.key}: ${explain(found, found.use)}`;
}

/** The environment names of a key: ours, and the form of programs that drop hyphens. */
const spellings = (key: string) => [envName(key), envName(key.replaceAll("-", ""))];

/** Environment variables that have no effect here, with the reason: errors and mere warnings. */
export function absentInEnvironment(
  env: Record<string, string | undefined>,
  known: string[],
): { refused: string[]; warned: string[] } {
  const right = new Set(known.map(envName));
  const misspelt = new Map(known.map((key) => [spellings(key)[1]!, envName(key)]));
  const found = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value === "" || right.has(name)) return [];
    const ours = misspelt.get(name);
    if (ours) return [{ mild: false, text: `${name}: spelled ${ours} here` }];
    const absent = absentKeys.find((one) => isNamed(one, name));
    if (!absent) return [];
    const use = absent.use && envName(absent.use);
    return [{ mild: absent.mild === true, text: `${name}: ${explain(absent, use)}` }];
  });
  const texts = (mild: boolean) => found.filter((one) => one.mild === mild).map((o) => o.text);
  return { refused: texts(false), warned: texts(true) };
}

function isNamed({ key, family }: AbsentKey, name: string): boolean {
  return spellings(key).some((one) => family ? name.startsWith(`${one}_`) : name === one);
}

function explain({ yet, why }: AbsentKey, use: string | undefined): string {
  if (yet) return `not there yet: ${yet}`;
  return `not a key of this product; ${use ? `use ${use}` : why}`;
}
