import type { Schema } from "#web/api/client.ts";
import { listText } from "#web/kit/numbers.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

/** What an event changed, as people read it. */
export type Change =
  | { name: string; kind: "text"; before: string; after: string }
  | { name: string; kind: "list"; added: string[]; removed: string[] };

type State = Schema<"ActivityState">;

/** Names of the parts of a state. */
const parts: Partial<Record<keyof State, PlainKey>> = {
  ownerships: "kit.owners",
  tags: "kit.tags",
  terms: "kit.terms",
  description: "kit.description",
  business_name: "kit.name",
  status: "kit.status",
  custom_metadata: "activity.metadata",
  dataset_field_values: "activity.valuesOfAColumn",
  dataset_field_information: "activity.column",
  dataset_field_terms: "activity.termsOfAColumn",
  data_entity: "activity.partAsset",
  custom_group: "activity.partGroup",
  alert_halt_config: "activity.partMutedAlerts",
  alert_status_updated: "activity.partAlertStatus",
  open_alert_received: "activity.partAlertRaised",
  resolved_alert_received: "activity.partAlertResolved",
  lookup_table_name: "activity.partLookupTable",
  data_source: "activity.partDataSource",
};

/** Names of their members. */
const memberNames: Record<string, PlainKey> = {
  name: "activity.memberName",
  internal_name: "activity.memberInternalName",
  external_name: "activity.memberExternalName",
  namespace_name: "activity.memberNamespace",
  description: "activity.memberDescription",
  type: "activity.memberType",
  tags: "activity.memberTags",
  terms: "activity.memberTerms",
  enum_values: "activity.memberValues",
  entities: "activity.memberEntities",
  entities_total: "activity.memberEntitiesTotal",
  status: "activity.memberStatus",
  status_switch_time: "activity.memberStatusSwitchTime",
  triggered_at: "activity.memberTriggeredAt",
  chunks: "activity.memberChunks",
  failed_job_halt_until: "activity.memberFailedJob",
  failed_dq_test_halt_until: "activity.memberFailedTest",
  incompatible_schema_halt_until: "activity.memberSchema",
  distribution_anomaly_halt_until: "activity.memberAnomaly",
};

/** Keys that say the same to a reader as another next to them, or nothing. */
const silent = new Set([
  "id",
  "entity_classes",
  "types",
  "logical_type",
  "is_nullable",
  "important",
]);

/** The differences of two states. Parts that have no name here are shown under that of their key. */
export function changesOf(
  { old_state, new_state }: Pick<Schema<"Activity">, "old_state" | "new_state">,
): Change[] {
  const keys = new Set([...Object.keys(old_state), ...Object.keys(new_state)] as (keyof State)[]);
  return [...keys].flatMap((key) =>
    between(partOf(key), old_state[key] ?? null, new_state[key] ?? null)
  );
}

function between(name: string, before: unknown, after: unknown): Change[] {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [was, is] = [before, after].map((list) => Array.isArray(list) ? list.map(valueText) : []);
    const change = {
      name,
      kind: "list" as const,
      added: is!.filter((one) => !was!.includes(one)),
      removed: was!.filter((one) => !is!.includes(one)),
    };
    return change.added.length + change.removed.length > 0 ? [change] : [];
  }
  if (isObject(before) || isObject(after)) return ofMembers(name, members(before), members(after));
  const [was, is] = [valueText(before), valueText(after)];
  return was === is ? [] : [{ name, kind: "text", before: was, after: is }];
}

function ofMembers(
  name: string,
  before: Map<string, unknown>,
  after: Map<string, unknown>,
): Change[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => !silent.has(key));
  const label = (key: string) =>
    keys.length === 1 ? name : t("activity.memberOf", { part: name, member: memberOf(key) });
  return keys.flatMap((key) =>
    between(label(key), before.get(key) ?? null, after.get(key) ?? null)
  );
}

/** One value in a line: what names it first, then the rest. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!isObject(value)) return String(value);
  const all = [...members(value)].filter(([key]) => !silent.has(key));
  const texts = all.map(([, one]) =>
    Array.isArray(one) ? listText(one.map(valueText)) : valueText(one)
  );
  return texts.filter(Boolean).join(" · ");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function members(value: unknown): Map<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function partOf(key: keyof State): string {
  const name = parts[key];
  return name ? t(name) : readable(key);
}

function memberOf(key: string): string {
  const name = memberNames[key];
  return name ? t(name) : readable(key).toLowerCase();
}

function readable(key: string): string {
  const text = key.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Ownership = Pick<Schema<"OwnershipActivityState">, "owner_name" | "title_name">;

/** What takes an event back, if that can be done. */
export type Reversal =
  | { kind: "description"; from: string; to: string }
  | { kind: "owner"; name: string; from: Ownership | undefined; to: Ownership | undefined };

/** How to take back a change of the description, or of one owner; undefined for every other event. */
export function reversalOf(
  { event_type, old_state, new_state }: Pick<
    Schema<"Activity">,
    "event_type" | "old_state" | "new_state"
  >,
): Reversal | undefined {
  if (event_type === "DESCRIPTION_UPDATED") {
    const from = new_state.description?.description ?? "";
    return { kind: "description", from, to: old_state.description?.description ?? "" };
  }
  if (!event_type.startsWith("OWNERSHIP_")) return undefined;
  const [before, after] = [byOwner(old_state.ownerships), byOwner(new_state.ownerships)];
  const changed = [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => !isSameOwnership(before.get(name), after.get(name)));
  if (changed.length !== 1) return undefined;
  const name = changed[0]!;
  return { kind: "owner", name, from: after.get(name), to: before.get(name) };
}

export function isSameOwnership(a: Ownership | undefined, b: Ownership | undefined): boolean {
  if (!a || !b) return a === b;
  return (a.title_name ?? "") === (b.title_name ?? "");
}

function byOwner(list: Ownership[] | null | undefined): Map<string, Ownership> {
  return new Map((list ?? []).flatMap((one) => one.owner_name ? [[one.owner_name, one]] : []));
}
