import { listText, noun, words } from "#web/kit/numbers.ts";
import type { JsonSchema } from "#web/features/management/json-schema.ts";
import { type PlainKey, t } from "#web/messages/text.ts";

export const operators = ["eq", "not_eq", "match", "not_match", "is", "not_is"] as const;
export type Operator = typeof operators[number];
export const operatorTexts: Record<Operator, PlainKey> = {
  eq: "management.operatorEq",
  not_eq: "management.operatorNotEq",
  match: "management.operatorMatch",
  not_match: "management.operatorNotMatch",
  is: "management.operatorIs",
  not_is: "management.operatorNotIs",
};

/** One condition, as the form shows it; `value` is empty for `is` and `not_is`. */
export interface Leaf {
  operator: Operator;
  attribute: string;
  value: string;
}

/** Conditions that the form can show: some that all hold, or of which one holds. */
export interface Simple {
  join: "all" | "any";
  leaves: Leaf[];
}

export interface Statement {
  resource: { type: string; conditions?: unknown };
  permissions: string[];
}

/** What a type of resources has: permissions, and attributes by what can be asked of them. */
export interface Vocabulary {
  permissions: string[];
  /** To compare with a value. */
  attributes: string[];
  /** To ask whose it is. */
  own: string[];
}

/** The words of policies, from their schema. */
export function vocabularies(schema: JsonSchema): Map<string, Vocabulary> {
  const found = new Map<string, Vocabulary>();
  for (const { properties } of schema.properties?.statements?.items?.anyOf ?? []) {
    const { type, conditions } = properties?.resource?.properties ?? {};
    if (typeof type?.const !== "string") continue;
    const shapes = schema.$defs?.[conditions?.$ref?.split("/").at(-1) ?? ""]?.anyOf ?? [];
    const shape = (key: string) => shapes.map((one) => one.properties?.[key]).find(Boolean);
    found.set(type.const, {
      permissions: (properties?.permissions?.items?.enum ?? []) as string[],
      attributes: (shape("eq")?.propertyNames?.enum ?? []) as string[],
      own: (shape("is")?.enum ?? []) as string[],
    });
  }
  return found;
}

/** Statements of a document that was read; none where it has another shape. */
export function statementsOf(document: unknown): Statement[] {
  const { statements } = (document ?? {}) as { statements?: unknown };
  if (!Array.isArray(statements)) return [];
  return statements.filter((one): one is Statement =>
    typeof one?.resource?.type === "string" && Array.isArray(one.permissions)
  );
}

/** The conditions as the form shows them; undefined when they are too involved for it. */
export function simpleOf(conditions: unknown): Simple | undefined {
  if (conditions === undefined) return { join: "all", leaves: [] };
  const { all, any } = conditions as { all?: unknown; any?: unknown };
  const some = Array.isArray(all) ? all : Array.isArray(any) ? any : [conditions];
  const leaves = some.map(leafOf);
  if (!leaves.every((leaf) => leaf !== undefined)) return undefined;
  return { join: Array.isArray(any) ? "any" : "all", leaves };
}

function leafOf(condition: unknown): Leaf | undefined {
  const [entry, more] = Object.entries((condition ?? {}) as Record<string, unknown>);
  if (!entry || more || !operators.some((one) => one === entry[0])) return undefined;
  const operator = entry[0] as Operator;
  if (typeof entry[1] === "string") return { operator, attribute: entry[1], value: "" };
  const [pair, other] = Object.entries((entry[1] ?? {}) as Record<string, unknown>);
  if (!pair || other || typeof pair[1] !== "string") return undefined;
  return { operator, attribute: pair[0], value: pair[1] };
}

/** The conditions of a document; undefined for none. */
export function conditionsOf({ join, leaves }: Simple): unknown {
  const some = leaves.map(({ operator, attribute, value }) =>
    asksWhose(operator) ? { [operator]: attribute } : { [operator]: { [attribute]: value } }
  );
  return some.length === 0 ? undefined : some.length === 1 ? some[0] : { [join]: some };
}

export function asksWhose(operator: Operator): boolean {
  return operator === "is" || operator === "not_is";
}

/** What a statement grants, for people. */
export function inWords({ resource: { type, conditions }, permissions }: Statement): string {
  const granted = grantedInWords(type, permissions);
  if (type === "MANAGEMENT") return t("management.grantsEverywhere", { granted });
  if (conditions === undefined) return t("management.grantsOnAll", { type, granted });
  const where = conditionInWords(conditions, 0);
  return t("management.grantsWhere", { type, conditions: where, granted });
}

function grantedInWords(type: string, permissions: string[]): string {
  if (permissions.includes("ALL")) return t("management.grantedEverything");
  const names = permissions.map((one) => permissionInWords(type, one));
  return names.length > 0 ? listText(names) : t("management.grantedNothing");
}

/** `DATA_ENTITY_TAGS_UPDATE` of a data entity becomes `tags update`. */
function permissionInWords(type: string, permission: string): string {
  return noun(permission.startsWith(`${type}_`) ? permission.slice(type.length + 1) : permission);
}

function conditionInWords(condition: unknown, depth: number): string {
  const { all, any } = (condition ?? {}) as { all?: unknown; any?: unknown };
  const some = Array.isArray(all) ? all : Array.isArray(any) ? any : undefined;
  if (some && depth < 32) {
    const join = all ? "management.conditionAnd" : "management.conditionOr";
    const joined = some.map((one) => conditionInWords(one, depth + 1))
      .reduce((first, second) => first ? t(join, { first, second }) : second, "");
    return depth > 0 && some.length > 1 ? `(${joined})` : joined;
  }
  const leaf = leafOf(condition);
  if (!leaf) return t("management.conditionUnknown");
  const { operator, value } = leaf;
  return t("management.condition", {
    operator,
    attribute: attributeInWords(leaf.attribute),
    value,
  });
}

/** Attributes without the type before them. */
const attributes = new Map<string, PlainKey>([
  ["catrn", "management.attributeCatrn"],
  ["class", "management.attributeClass"],
  ["datasource:catrn", "management.attributeSourceCatrn"],
  ["datasource:name", "management.attributeSourceName"],
  ["externalName", "management.attributeExternalName"],
  ["ingestedTag:name", "management.attributeIngestedTag"],
  ["internalName", "management.attributeInternalName"],
  ["name", "management.attributeName"],
  ["namespace:name", "management.attributeNamespace"],
  ["owner", "management.attributeOwner"],
  ["owner:title", "management.attributeOwnerTitle"],
  ["tag:name", "management.attributeTag"],
  ["type", "management.attributeType"],
]);

/** `dataEntity:namespace:name` becomes `namespace name`. */
export function attributeInWords(attribute: string): string {
  const key = attributes.get(attribute.slice(attribute.indexOf(":") + 1));
  return key ? t(key) : attribute;
}

type Rule = readonly [prefix: string, object: PlainKey, cut?: string];

/**
 * What a permission is about, by how its name begins; longer beginnings stand before shorter ones. `cut`: what its label
 * leaves out, by default that beginning.
 */
const objects: readonly Rule[] = [
  ["DATA_ENTITY_ALERT_", "management.alertsAndTests"],
  ["DATASET_TEST_", "management.alertsAndTests"],
  ["DATA_ENTITY_OWNERSHIP_", "kit.owners"],
  ["DATA_ENTITY_CUSTOM_METADATA_", "management.metadata"],
  ["DATASET_FIELD_", "kit.columns"],
  ["DATA_ENTITY_GROUP_", "management.groups"],
  ["DATA_ENTITY_ADD_TO_GROUP", "management.groups"],
  ["DATA_ENTITY_DELETE_FROM_GROUP", "management.groups"],
  ["DATA_ENTITY_ADD_TERM", "management.glossaryTerms"],
  ["DATA_ENTITY_DELETE_TERM", "management.glossaryTerms"],
  ["DATA_ENTITY_", "management.asset"],
  ["QUERY_EXAMPLE_DATASET_", "management.queryExamples"],
  ["QUERY_EXAMPLE_TERM_", "management.queryExamples"],
  ["QUERY_EXAMPLE_", "management.queryExamples"],
  ["TERM_OWNERSHIP_", "kit.owners"],
  ["TERM_", "management.glossaryTerms"],
  ["LOOKUP_TABLE_DEFINITION_", "management.columnsOfLookupTables"],
  ["LOOKUP_TABLE_DATA_", "management.rowsOfLookupTables"],
  ["LOOKUP_TABLE_", "management.lookupTables"],
  ["DATA_SOURCE_", "management.dataSources"],
  ["COLLECTOR_", "management.collectors"],
  ["CONNECTION_", "management.connections"],
  ["NAMESPACE_", "management.namespaces"],
  ["TAG_", "kit.tags"],
  ["OWNER_ASSOCIATION_", "management.userLinks", "OWNER_"],
  ["OWNER_RELATION_", "management.userLinks", "OWNER_"],
  ["DIRECT_OWNER_", "management.userLinks", ""],
  ["OWNER_", "kit.owners"],
  ["POLICY_", "management.policies"],
  ["ROLE_", "management.roles"],
  ["NOTIFICATION_", "management.notifications"],
  ["AUDIT_", "management.audit"],
  ["OPERATIONS_", "management.operations"],
];
const others: Rule = ["", "management.otherObjects"];

export interface PermissionGroup {
  object: string;
  permissions: { name: string; label: string }[];
}

/** Permissions by what they are about, in the order in which each object comes first. */
export function permissionGroups(permissions: readonly string[]): PermissionGroup[] {
  const groups = new Map<PlainKey, PermissionGroup>();
  for (const name of permissions) {
    const [prefix, object, cut] = objects.find(([prefix]) => name.startsWith(prefix)) ?? others;
    const group = groups.get(object) ?? { object: t(object), permissions: [] };
    group.permissions.push({ name, label: labelOf(name, cut ?? prefix) });
    groups.set(object, group);
  }
  return [...groups.values()];
}

/** `Update` of `TAG_UPDATE`: the object is said once, above. */
function labelOf(name: string, cut: string): string {
  return words(name.slice(cut.length) || name.replace(/^DATA_ENTITY_/, ""));
}
