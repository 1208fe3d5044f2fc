import type { ConfigKey } from "#platform/config/keys.ts";

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
export function isKnown(key: string, keys: readonly ConfigKey[]): boolean {
  return keys.some((known) => known.key === key || nameIn(key, known.key)?.includes(".") === false);
}

/** All keys as they are spelled next to this one: with its chosen name where it has one. */
export function spelledAs(key: string, keys: readonly ConfigKey[]): string[] {
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
export function chosenInEnvironment(
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
    else problems.push(`${variable}: unknown key; ${hint(variable, near)}`);
  }
  return { found, problems };
}

function instance(template: ConfigKey, variable: string): ConfigKey {
  const name = nameIn(variable, template.env)!.toLowerCase().replaceAll("_", "-");
  return { ...template, key: template.key.replace(holder, name), env: variable };
}

/** The nearest spelling of a variable, in which the chosen name may be any number of words. */
function hint(variable: string, templates: readonly ConfigKey[]): string {
  const words = variable.slice(around(templates[0]!.env)!.before.length).split("_");
  const candidates = words.map((_, i) => words.slice(0, i + 1).join("_"))
    .flatMap((name) => templates.map(({ env }) => env.replace(holder, name)));
  const close = nearest(variable, candidates, variable.length / 5);
  return close ? `the nearest is ${close}` : "docs/operate/configuration.md has every key";
}

/** The keys whose values are lists of keys: `catalog.links`. */
export function listKeys(keys: readonly ConfigKey[]): Set<string> {
  return new Set(keys.flatMap(({ key }) => {
    const parts = around(key);
    return parts?.numbered ? parts.before.slice(0, -1) : [];
  }));
}

/** The candidate with the smallest edit distance (Levenshtein) from `word`, if within `max`. */
export function nearest(word: string, candidates: string[], max: number): string | undefined {
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
