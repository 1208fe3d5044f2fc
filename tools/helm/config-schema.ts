import { z } from "zod";
import { type ConfigKey, configKeys } from "#platform/config/keys.ts";
import { Config } from "#platform/config/schema.ts";
import { isSecretKey } from "#platform/secrets.ts";

type Schema = Record<string, unknown>;

/** Keys that the chart sets itself, from its own values or because the image fixes them. */
const setByChart = new Set([
  "server.host",
  "server.port",
  "data.dir",
  "event-log.kafka.brokers",
  "graph.neo4j.url",
  "metadata.postgres.url",
  "cache.redis.url",
  "traces.http.host",
  "traces.http.port",
  "traces.grpc.host",
  "traces.grpc.port",
  "traces.self-url",
  "attachment.local.path",
]);

/** The JSON schema of the value `config`: the configuration without secrets and without what the chart sets. */
export function configSchema(): Schema {
  const schema = z.toJSONSchema(Config, { io: "input", target: "draft-7" }) as Schema;
  const { $schema: _, ...own } = reduced(schema, "") as Schema;
  return {
    ...own,
    description: "Configuration, as in docs/operate/configuration.md, without secrets",
  };
}

/** Without the keys that are not allowed, defaults, and patterns that Go's expressions do not have. */
function reduced(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((one) => reduced(one, key));
  if (value === null || typeof value !== "object") return value;
  const { default: _, properties, items, additionalProperties, pattern, ...rest } = value as Schema;
  const below = (name: string) => (key === "" ? name : `${key}.${name}`);
  const allowed = Object.entries(properties ?? {}).filter(([name]) =>
    !setByChart.has(below(name)) && !isSecretKey(below(name))
  ).map(([name, property]) => [name, reduced(property, below(name))] as const)
    .filter(([, property]) => !isEmpty(property as Schema));
  return {
    ...rest,
    ...(typeof pattern === "string" && !/\(\?[!=<]/.test(pattern) ? { pattern } : {}),
    ...(items ? { items: reduced(items, below("{n}")) } : {}),
    ...(properties ? { properties: Object.fromEntries(allowed), additionalProperties: false } : {}),
    ...(!properties && typeof additionalProperties === "object"
      ? { additionalProperties: reduced(additionalProperties, below("{id}")) }
      : {}),
  };
}

/** Whether an object of keys has none left. */
function isEmpty({ properties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties as Schema).length === 0;
}

/** Variables that may come from a secret: secret keys, references of connections, and those of drivers. */
export function secretVariables(): RegExp {
  const own = configKeys().filter(({ key }) => isSecretKey(key)).map(({ env }: ConfigKey) =>
    env.replace(/<(ID|N)>/, "[A-Z0-9_]+")
  );
  const drivers = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "PGPASSWORD"];
  return new RegExp(`^(${[...own, "SOURCE_SECRET_[A-Z0-9_]+", ...drivers].join("|")})$`);
}
