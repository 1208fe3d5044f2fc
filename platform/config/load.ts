import { existsSync, readFileSync } from "node:fs";
import type { YAMLError } from "yaml";
import { onDemand } from "#kit/on-demand.ts";
import { own } from "#kit/own.ts";
import {
  absentInEnvironment,
  absentInFile,
  type ConfigKey,
  configKeys,
} from "#platform/config/keys.ts";
import { Config } from "#platform/config/schema.ts";
import { masked, rememberSecrets, secretKey, secretsIn } from "#platform/secrets.ts";

/** Every problem of the configuration, one per line. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    const declared = new Set(configKeys().map(({ key }) => key));
    const lines = problems.map((problem) => `  - ${maskedProblem(problem, declared)}`);
    super(`The configuration is wrong:\n${lines.join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Without secrets; the name of a key stays, also where a secret is the same word. */
function maskedProblem(problem: string, declared: ReadonlySet<string>): string {
  const [key = ""] = problem.split(": ", 1);
  return declared.has(key) ? key + masked(problem.slice(key.length)) : masked(problem);
}

interface ConfigSources {
  env: Record<string, string | undefined>;
  /** YAML file; `TRIBUTARY_CONFIG` names another. May be missing unless it was named. */
  file?: string;
  /** Called for each variable that has no effect but is tolerated. */
  warn?: (text: string) => void;
}

/**
 * The configuration: defaults, overridden by the file, then by the environment. Throws one `ConfigError` with
 * every problem: key, value found and what is allowed.
 */
export function loadConfig(sources: ConfigSources): Config {
  const keys = configKeys();
  const problems: string[] = [];
  const tree = readFile(sources, problems);
  problems.push(...unknownKeys(tree, keys));
  const inEnvironment = chosenInEnvironment(sources.env, keys);
  problems.push(...inEnvironment.problems);
  applyEnvironment(tree, sources.env, [...keys, ...inEnvironment.found]);
  for (const key of listKeys(keys)) makeList(tree, key.split("."));
  const absent = absentInEnvironment(sources.env, keys.map(({ key }) => key));
  problems.push(...absent.refused);
  rememberSecrets([...secretsIn(tree), ...headerValues(sources.env)]);
  const parsed = Config.safeParse(tree);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      if (issue.code === "unrecognized_keys") continue;
      const key = issue.path.map(String).join(".");
      const value = isKnown(key, keys) ? shown(key, valueAt(tree, issue.path)) : "the value given";
      problems.push(`${key}: ${value} ${issue.message}`);
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  absent.warned.forEach((text) => sources.warn?.(text));
  return parsed.data;
}

/** Values of the headers that OpenTelemetry sends: they often hold an API key of a collector. */
function headerValues(env: ConfigSources["env"]): string[] {
  const lists = [env.OTEL_EXPORTER_OTLP_HEADERS, env.OTEL_EXPORTER_OTLP_TRACES_HEADERS];
  return lists.flatMap((list) => list?.split(",") ?? []).map((pair) => pair.replace(/^[^=]*=/, ""));
}

type Tree = Record<string, unknown>;

const yaml = onDemand<typeof import("yaml")>("yaml");

function readFile({ env, file }: ConfigSources, problems: string[]): Tree {
  const named = env.TRIBUTARY_CONFIG;
  const path = named ?? file ?? "tributary.yaml";
  if (!existsSync(path)) {
    if (named) problems.push(`TRIBUTARY_CONFIG: the file ${named} does not exist`);
    return {};
  }
  const document = yaml().parseDocument(readFileSync(path, "utf8"));
  // The parser only warns of an unknown tag, but drops the value.
  const faults = [...document.errors, ...document.warnings];
  problems.push(...faults.map((fault) => `${path}: not YAML: ${placeOf(fault)}`));
  if (faults.length > 0) return {};
  try {
    const tree = document.toJS() ?? {};
    if (typeof tree === "object" && !Array.isArray(tree)) return tree as Tree;
    problems.push(`${path}: no configuration: its first level must be keys, such as server:`);
  } catch {
    problems.push(`${path}: not YAML: an alias (*) without its anchor (&), or too many of them`);
  }
  return {};
}

/** Where and why a file is not valid YAML. The parser's own message would quote the line. */
function placeOf({ linePos, code }: YAMLError): string {
  const { line, col } = linePos?.[0] ?? { line: 1, col: 1 };
  return `line ${line}, column ${col}: ${code.toLowerCase().replaceAll("_", " ")}`;
}

function unknownKeys(tree: Tree, keys: readonly ConfigKey[]): string[] {
  return leaves(tree, "").filter((key) => !isKnown(key, keys)).map((key) => {
    const known = spelledAs(key, keys);
    const above = known.find((one) => key.startsWith(`${one}.`));
    // Braces or a colon turn a value into keys; those may then be secret, so they are not printed.
    if (above) return `${above}: must be one value, here it has keys of its own; quote it`;
    return absentInFile(key) ?? `${key}: unknown key; ${hint(key, known)}`;
  });
}

/** Suggests the nearest known key; none when no key is similar. */
function hint(key: string, known: string[]): string {
  const close = nearest(key, known, key.length / 3);
  return close ? `the nearest is ${close}` : "docs/operate/configuration.md has every key";
}

function leaves(tree: Tree, prefix: string): string[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    const nested = value !== null && typeof value === "object" && !isListOfValues(value);
    return nested ? leaves(value as Tree, key) : [key];
  });
}

/** Whether a value is a list without members that have keys of their own; those may be keys of the schema. */
function isListOfValues(value: object): boolean {
  return Array.isArray(value) && value.length > 0 &&
    !value.some((one) => one !== null && typeof one === "object");
}

function applyEnvironment(tree: Tree, env: ConfigSources["env"], keys: readonly ConfigKey[]): void {
  for (const { key, env: name, type } of keys) {
    const text = own(env, name);
    if (text === undefined || text === "") continue;
    setAt(tree, key.split("."), fromText(text, type));
  }
}

/** Text that does not match the type stays text, so that the schema reports what is allowed. */
function fromText(text: string, type: ConfigKey["type"]): unknown {
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return text;
}

function setAt(tree: Tree, path: string[], value: unknown): void {
  const [step, ...further] = path;
  if (step === undefined) return;
  const existing = own(tree, step);
  const below = existing !== null && typeof existing === "object" ? existing as Tree : {};
  if (further.length > 0) setAt(below, further, value);
  // lookup-ok -- steps of keys of our own schema
  tree[step] = further.length > 0 ? below : value;
}

/** Makes a list of what variables set by places, which need not follow each other, in the order of these. */
function makeList(tree: Tree, path: string[]): void {
  const existing = valueAt(tree, path);
  if (existing === null || typeof existing !== "object" || Array.isArray(existing)) return;
  const entries = Object.entries(existing).sort(([a], [b]) => Number(a) - Number(b));
  if (entries.every(([place]) => /^\d+$/.test(place))) setAt(tree, path, entries.map(([, v]) => v));
}

function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  const member = (at: unknown, step: PropertyKey) =>
    at !== null && typeof at === "object" ? own(at as Tree, String(step)) : undefined;
  return path.reduce(member, tree);
}

function shown(key: string, value: unknown): string {
  if (secretKey.test(key) || /url/i.test(key)) return "the value given";
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** What stands for a chosen name, or for a place in a list, in a key and in its variable. */
const holder = /\{(?:id|n)\}|<(?:ID|N)>/;

interface Template {
  before: string;
  after: string;
  /** Whether a number stands there. */
  numbered: boolean;
}

/** What stands around the chosen name; undefined for a key, or a variable, without one. */
function around(template: string): Template | undefined {
  const found = holder.exec(template);
  if (!found) return undefined;
  const [before, after] = [
    template.slice(0, found.index),
    template.slice(found.index + found[0].length),
  ];
  return { before, after, numbered: /n/i.test(found[0]) };
}

/** The chosen name in `text`, if that is an instance of the template. */
function nameIn(text: string, template: string): string | undefined {
  const parts = around(template);
  if (!parts) return undefined;
  const { before, after, numbered } = parts;
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  const name = text.slice(before.length, text.length - after.length);
  return name === "" || (numbered && !/^\d{1,3}$/.test(name)) ? undefined : name;
}

/** Whether a key of the file is one of the schema; a chosen name has no dots. */
function isKnown(key: string, keys: readonly ConfigKey[]): boolean {
  return keys.some((known) => known.key === key || nameIn(key, known.key)?.includes(".") === false);
}

/** All keys as they are spelled next to this one: with its chosen name where it has one. */
function spelledAs(key: string, keys: readonly ConfigKey[]): string[] {
  return keys.map((known) => {
    const before = around(known.key)?.before;
    if (before === undefined || !key.startsWith(before)) return known.key;
    return known.key.replace(holder, key.slice(before.length).split(".")[0]!);
  });
}

/**
 * The keys with chosen names that variables set: `AUTH_OAUTH2_CLIENT_MY_IDP_SCOPE` is that of the variable
 * `auth.oauth2.client.my-idp.scope`. A variable that looks like such a key, but is invalid, is a problem.
 */
function chosenInEnvironment(
  env: Record<string, string | undefined>,
  keys: readonly ConfigKey[],
): { found: ConfigKey[]; problems: string[] } {
  const templates = keys.filter(({ key }) => holder.test(key));
  const found: ConfigKey[] = [];
  const problems: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    const near = templates.filter(({ env: name }) => variable.startsWith(around(name)!.before));
    if (!value || near.length === 0) continue;
    const hit = near.find((one) => nameIn(variable, one.env) !== undefined);
    if (hit) found.push(instance(hit, variable));
    else problems.push(`${variable}: unknown key; ${variableHint(variable, near)}`);
  }
  return { found, problems };
}

function instance(template: ConfigKey, variable: string): ConfigKey {
  const name = nameIn(variable, template.env)!.toLowerCase().replaceAll("_", "-");
  return { ...template, key: template.key.replace(holder, name), env: variable };
}

/** The nearest spelling of a variable, in which the chosen name may be any number of words. */
function variableHint(variable: string, templates: readonly ConfigKey[]): string {
  const words = variable.slice(around(templates[0]!.env)!.before.length).split("_");
  const candidates = words.map((_, i) => words.slice(0, i + 1).join("_"))
    .flatMap((name) => templates.map(({ env }) => env.replace(holder, name)));
  const close = nearest(variable, candidates, variable.length / 5);
  return close ? `the nearest is ${close}` : "docs/operate/configuration.md has every key";
}

/** The keys whose values are lists of keys: `catalog.links`. */
function listKeys(keys: readonly ConfigKey[]): Set<string> {
  return new Set(keys.flatMap(({ key }) => {
    const parts = around(key);
    return parts?.numbered ? parts.before.slice(0, -1) : [];
  }));
}

/** The candidate with the smallest edit distance (Levenshtein) from `word`, if within `max`. */
function nearest(word: string, candidates: string[], max: number): string | undefined {
  const ranked = candidates.map((c) => [distance(word, c), c] as const)
    .filter(([away]) => away <= max);
  return ranked.sort((a, b) => a[0] - b[0])[0]?.[1];
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
