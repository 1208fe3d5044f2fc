import { words } from "#web/kit/numbers.ts";
import type { JsonSchema } from "#web/features/management/json-schema.ts";

export type Operator = "eq" | "not_eq" | "match" | "not_match" | "is" | "not_is";
export const operators: readonly (readonly [Operator, string])[] = [
  ["eq", "is"],
  ["not_eq", "is not"],
  ["match", "matches"],
  ["not_match", "does not match"],
  ["is", "is the caller's own"],
  ["not_is", "is not the caller's own"],
];

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
  if (!entry || more || !operators.some(([one]) => one === entry[0])) return undefined;
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

const kinds: Record<string, string> = {
  DATA_ENTITY: "data entities",
  TERM: "terms",
  QUERY_EXAMPLE: "query examples",
};

/** What a statement grants, for people. */
export function inWords({ resource: { type, conditions }, permissions }: Statement): string {
  const granted = permissions.includes("ALL")
    ? "everything, also what later releases add"
    : permissions.map((one) => permissionInWords(type, one).toLowerCase()).join(", ") || "nothing";
  if (type === "MANAGEMENT") return `Everywhere: ${granted}.`;
  const where = conditions === undefined ? "" : ` where ${conditionInWords(conditions, 0)}`;
  return `On ${conditions === undefined ? "all " : ""}${kinds[type] ?? type}${where}: ${granted}.`;
}

/** `DATA_ENTITY_TAGS_UPDATE` of a data entity becomes `Tags update`. */
export function permissionInWords(type: string, permission: string): string {
  return words(permission.startsWith(`${type}_`) ? permission.slice(type.length + 1) : permission);
}

function conditionInWords(condition: unknown, depth: number): string {
  const { all, any } = (condition ?? {}) as { all?: unknown; any?: unknown };
  const some = Array.isArray(all) ? all : Array.isArray(any) ? any : undefined;
  if (some && depth < 32) {
    const joined = some.map((one) => conditionInWords(one, depth + 1)).join(all ? " and " : " or ");
    return depth > 0 && some.length > 1 ? `(${joined})` : joined;
  }
  const leaf = leafOf(condition);
  if (!leaf) return "something that is not known holds";
  const does = operators.find(([one]) => one === leaf.operator)![1];
  if (asksWhose(leaf.operator)) return `it ${does}`;
  return `its ${attributeInWords(leaf.attribute)} ${does} “${leaf.value}”`;
}

/** `dataEntity:namespace:name` becomes `namespace name`. */
export function attributeInWords(attribute: string): string {
  return attribute.split(":").slice(1).join(" ").replace(/([A-Z])/g, " $1").toLowerCase();
}
