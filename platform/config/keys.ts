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

/** Every key of the schema, in schema order. */
export function configKeys(): ConfigKey[] {
  return collect(z.toJSONSchema(Config, { io: "input" }) as JsonSchema, "");
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
