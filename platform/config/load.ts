import { existsSync, readFileSync } from "node:fs";
import { parseDocument, type YAMLError } from "yaml";
import { own } from "#kit/own.ts";
import { absentInEnvironment, absentInFile } from "#platform/config/absent.ts";
import {
  chosenInEnvironment,
  isKnown,
  listKeys,
  nearest,
  spelledAs,
} from "#platform/config/chosen.ts";
import { type ConfigKey, configKeys } from "#platform/config/keys.ts";
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

export interface ConfigSources {
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

function readFile({ env, file }: ConfigSources, problems: string[]): Tree {
  const named = env.TRIBUTARY_CONFIG;
  const path = named ?? file ?? "tributary.yaml";
  if (!existsSync(path)) {
    if (named) problems.push(`TRIBUTARY_CONFIG: the file ${named} does not exist`);
    return {};
  }
  const document = parseDocument(readFileSync(path, "utf8"));
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

function unknownKeys(tree: Tree, keys: ConfigKey[]): string[] {
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

function applyEnvironment(tree: Tree, env: ConfigSources["env"], keys: ConfigKey[]): void {
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
