import type { Schema } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

/** What an event changed, as people read it. */
export type Change =
  | { name: string; kind: "text"; before: string; after: string }
  | { name: string; kind: "list"; added: string[]; removed: string[] };

type State = Schema<"ActivityState">;

/** Names of the parts of a state. */
const parts = (): [key: keyof State, name: string][] => [
  ["ownerships", t("kit.owners")],
  ["tags", t("kit.tags")],
  ["terms", t("kit.terms")],
  ["description", t("kit.description")],
  ["business_name", t("kit.name")],
  ["status", t("kit.status")],
  ["custom_metadata", t("activity.metadata")],
  ["dataset_field_values", t("activity.valuesOfAColumn")],
  ["dataset_field_information", t("activity.column")],
  ["dataset_field_terms", t("activity.termsOfAColumn")],
];

/** Keys that say the same to a reader as another next to them, or nothing. */
const silent = new Set([
  "id",
  "entity_classes",
  "types",
  "logical_type",
  "is_nullable",
  "important",
]);

/** The differences of two states. Parts without a name of their own are shown under that of their key. */
export function changesOf(
  { old_state, new_state }: Pick<Schema<"Activity">, "old_state" | "new_state">,
): Change[] {
  const keys = new Set([...Object.keys(old_state), ...Object.keys(new_state)] as (keyof State)[]);
  const names = new Map(parts());
  return [...keys].flatMap((key) =>
    between(names.get(key) ?? readable(key), old_state[key] ?? null, new_state[key] ?? null)
  );
}

function between(name: string, before: unknown, after: unknown): Change[] {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [was, is] = [before, after].map((list) => Array.isArray(list) ? list.map(textOf) : []);
    const change = {
      name,
      kind: "list" as const,
      added: is!.filter((one) => !was!.includes(one)),
      removed: was!.filter((one) => !is!.includes(one)),
    };
    return change.added.length + change.removed.length > 0 ? [change] : [];
  }
  if (isObject(before) || isObject(after)) return ofMembers(name, members(before), members(after));
  const [was, is] = [textOf(before), textOf(after)];
  return was === is ? [] : [{ name, kind: "text", before: was, after: is }];
}

function ofMembers(
  name: string,
  before: Map<string, unknown>,
  after: Map<string, unknown>,
): Change[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => !silent.has(key));
  const label = (key: string) =>
    keys.length === 1 ? name : `${name}: ${readable(key).toLowerCase()}`;
  return keys.flatMap((key) =>
    between(label(key), before.get(key) ?? null, after.get(key) ?? null)
  );
}

/** One value in a line: what names it first, then the rest. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!isObject(value)) return String(value);
  const all = [...members(value)].filter(([key]) => !silent.has(key));
  return all.map(([, one]) => Array.isArray(one) ? one.map(textOf).join(", ") : textOf(one)).filter(
    Boolean,
  ).join(" · ");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function members(value: unknown): Map<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function readable(key: string): string {
  const text = key.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
