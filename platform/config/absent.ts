import { envName } from "#platform/config/keys.ts";

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

const every = (prefix: string, names: string, description: Omit<AbsentKey, "key">): AbsentKey[] =>
  names.split(" ").map((name) => ({ key: `${prefix}.${name}`, ...description }));

const oneDatabase = { use: "metadata.postgres.url" };
const locks = { why: "locks need no numbers here" };
const metrics = { yet: "metrics of entities are stored in PostgreSQL" };

/** Every key of the published contract that the schema lacks; the first match is used. */
export const absentKeys: AbsentKey[] = [
  { key: "spring.datasource", family: true, ...oneDatabase },
  { key: "spring.custom-datasource", family: true, use: "metadata.lookup.url" },
  { key: "spring.codec.max-in-memory-size", use: "ingestion.max-body-size" },
  { key: "spring.session", family: true, use: "session.idle-timeout" },
  { key: "spring", family: true, why: "docs/operate/configuration.md has every key", mild: true },
  ...every("metrics", "storage prometheus-host", metrics),
  ...every("metrics.export", "enabled otlp-endpoint", { yet: "export of metrics of entities" }),
  { key: "partition.advisory-lock-id", ...locks },
  ...every(
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
