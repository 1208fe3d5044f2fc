import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { messageOf } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import { type ConfigKey, configKeys } from "#platform/config/keys.ts";
import { nearest } from "#platform/config/nearest.ts";
import { Config } from "#platform/config/schema.ts";

/** All that is wrong with the configuration, one line each. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is wrong:\n${problems.map((p) => `  - ${p}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

export interface ConfigSources {
  env: Record<string, string | undefined>;
  /** YAML file; `TRIBUTARY_CONFIG` names another. May be missing unless it was named. */
  file?: string;
}

/** Keys of the upstream product that mean nothing here, with what stands in their place. */
const replaced: [prefix: string, instead: string][] = [
  ["spring.datasource", "metadata.postgres.url"],
  ["spring.custom-datasource", "metadata.postgres.url"],
  ["spring.codec.max-in-memory-size", "ingestion.max-body-size"],
  ["spring.session", "cache.redis.url"],
  ["spring", "the keys of docs/configuration.md"],
];

/**
 * The configuration: defaults, then the file, then the environment. Throws a `ConfigError` with
 * every problem at once: key, value seen and what is allowed.
 */
export function loadConfig(sources: ConfigSources): Config {
  const keys = configKeys();
  const problems: string[] = [];
  const tree = readFile(sources, problems);
  problems.push(...unknownKeys(tree, keys));
  const fileEnables = valueAt(tree, enabledKey.split(".")) === true;
  applyEnvironment(tree, sources.env, keys);
  if (fileEnables) problems.push(...withoutDepth(tree));
  const parsed = Config.safeParse(tree);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      if (issue.code === "unrecognized_keys") continue;
      const key = issue.path.map(String).join(".");
      problems.push(`${key}: ${shown(key, valueAt(tree, issue.path))} ${issue.message}`);
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return parsed.data;
}

const enabledKey = "notifications.enabled";
const depthKey = "notifications.message.downstream-entities-depth";

/** A file that enables notifications says how much they tell; the default is for the environment. */
function withoutDepth(tree: Tree): string[] {
  if (valueAt(tree, enabledKey.split(".")) !== true) return [];
  if (valueAt(tree, depthKey.split(".")) !== undefined) return [];
  return [`${depthKey}: nothing; must be set, 0 to 100, where a file sets ${enabledKey}`];
}

type Tree = Record<string, unknown>;

function readFile({ env, file }: ConfigSources, problems: string[]): Tree {
  const named = env.TRIBUTARY_CONFIG;
  const path = named ?? file ?? "tributary.yaml";
  if (!existsSync(path)) {
    if (named) problems.push(`TRIBUTARY_CONFIG: the file ${named} does not exist`);
    return {};
  }
  try {
    return (parse(readFileSync(path, "utf8")) ?? {}) as Tree;
  } catch (error) {
    problems.push(`${path}: not YAML: ${messageOf(error)}`);
    return {};
  }
}

function unknownKeys(tree: Tree, keys: ConfigKey[]): string[] {
  const known = keys.map((k) => k.key);
  return leaves(tree, "").filter((key) => !known.includes(key)).map((key) => {
    const instead = replaced.find(([prefix]) => key === prefix || key.startsWith(`${prefix}.`));
    if (instead) return `${key}: not a key of this product; use ${instead[1]}`;
    return `${key}: unknown key; the nearest is ${nearest(key, known)}`;
  });
}

function leaves(tree: Tree, prefix: string): string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    const nested = value !== null && typeof value === "object" && !Array.isArray(value);
    return nested ? leaves(value as Tree, key) : [key];
  });
}

function applyEnvironment(tree: Tree, env: ConfigSources["env"], keys: ConfigKey[]): void {
  for (const { key, env: name, type } of keys) {
    const text = own(env, name);
    if (text === undefined || text === "") continue;
    setAt(tree, key.split("."), fromText(text, type));
  }
}

/** Text that is not of the type stays text, so that the schema tells what is allowed. */
function fromText(text: string, type: ConfigKey["type"]): unknown {
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

function setAt(tree: Tree, path: string[], value: unknown): void {
  const [step, ...further] = path;
  if (step === undefined) return;
  const held = own(tree, step);
  const below = held !== null && typeof held === "object" ? held as Tree : {};
  if (further.length > 0) setAt(below, further, value);
  // lookup-ok -- steps of keys of our own schema
  tree[step] = further.length > 0 ? below : value;
}

function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  const member = (at: unknown, step: PropertyKey) =>
    at !== null && typeof at === "object" ? own(at as Tree, String(step)) : undefined;
  return path.reduce(member, tree);
}

function shown(key: string, value: unknown): string {
  if (/password|token|secret|url/i.test(key)) return "the value given";
  return value === undefined ? "nothing" : JSON.stringify(value);
}
