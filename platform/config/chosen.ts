import { chosen, type ConfigKey } from "#platform/config/keys.ts";
import { nearest } from "#platform/config/nearest.ts";

/** `<ID>` in the variable of a key with a chosen name. */
const chosenVariable = "<ID>";

/** What stands before and after the chosen name; undefined for a key, or a variable, without one. */
function around(template: string, holder: string): [before: string, after: string] | undefined {
  const at = template.indexOf(holder);
  return at < 0 ? undefined : [template.slice(0, at), template.slice(at + holder.length)];
}

/** The chosen name in `text`, if that is an instance of the template. */
function nameIn(text: string, template: string, holder: string): string | undefined {
  const [before, after] = around(template, holder) ?? [];
  if (before === undefined || after === undefined) return undefined;
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  return text.slice(before.length, text.length - after.length) || undefined;
}

/** Whether a key of the file is one of the schema; a chosen name has no dots. */
export function isKnown(key: string, keys: readonly ConfigKey[]): boolean {
  return keys.some((known) =>
    known.key === key || nameIn(key, known.key, chosen)?.includes(".") === false
  );
}

/** All keys as they are spelled beside this one: with its chosen name where it has one. */
export function spelledAs(key: string, keys: readonly ConfigKey[]): string[] {
  return keys.map((known) => {
    const before = around(known.key, chosen)?.[0];
    if (before === undefined || !key.startsWith(before)) return known.key;
    return known.key.replace(chosen, key.slice(before.length).split(".")[0]!);
  });
}

/**
 * The keys with chosen names that variables set: `AUTH_OAUTH2_CLIENT_MY_IDP_SCOPE` is that of the variable
 * `auth.oauth2.client.my-idp.scope`. A variable that can only be meant for such a key, but is none, is a problem.
 */
export function chosenInEnvironment(
  env: Record<string, string | undefined>,
  keys: readonly ConfigKey[],
): { found: ConfigKey[]; problems: string[] } {
  const templates = keys.filter(({ key }) => key.includes(chosen));
  const found: ConfigKey[] = [];
  const problems: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    const near = templates.filter(({ env: name }) =>
      variable.startsWith(around(name, chosenVariable)![0])
    );
    if (!value || near.length === 0) continue;
    const hit = near.find((one) => nameIn(variable, one.env, chosenVariable) !== undefined);
    if (hit) found.push(instance(hit, variable));
    else problems.push(`${variable}: unknown key; ${hint(variable, near)}`);
  }
  return { found, problems };
}

function instance(template: ConfigKey, variable: string): ConfigKey {
  const name = nameIn(variable, template.env, chosenVariable)!.toLowerCase().replaceAll("_", "-");
  return { ...template, key: template.key.replace(chosen, name), env: variable };
}

/** The nearest spelling of a variable, in which the chosen name may be any number of words. */
function hint(variable: string, templates: readonly ConfigKey[]): string {
  const words = variable.slice(around(templates[0]!.env, chosenVariable)![0].length).split("_");
  const candidates = words.map((_, i) => words.slice(0, i + 1).join("_"))
    .flatMap((name) => templates.map(({ env }) => env.replace(chosenVariable, name)));
  const close = nearest(variable, candidates, variable.length / 5);
  return close ? `the nearest is ${close}` : "docs/configuration.md has every key";
}
