import { type Dialect, parse } from "@polyglot-sql/sdk";
import { isObject as isNode, own } from "#kit/own.ts";

export { isNode };

/** A node of the parser's tree: one member, named after its kind, or the members of one. */
export type Node = Record<string, unknown>;

/** Marks that mean one thing in one system and another in the next: names here, strings or arrays there. */
const ambiguous = /["`[#$]/;

/** In these a text in double quotes is a string, but after AS, where it can only be a name. */
const quotedStrings = new Set(["bigquery", "databricks", "hive", "spark"]);
const quotedAlias = /\b(AS\s+)"([^"`\\\n]+)"/gi;

/**
 * The tree of one statement, as its system reads it. Where the parser does not understand that, SQL that is written alike
 * in all systems is read as standard SQL, and as that of PostgreSQL. Undefined for what is not understood.
 */
export function parsedText(text: string, dialect: string): Node | undefined {
  const renamed = quotedStrings.has(dialect) ? text.replace(quotedAlias, "$1`$2`") : text;
  const dialects = ambiguous.test(renamed) ? [dialect] : [dialect, "generic", "postgresql"];
  for (const one of new Set(dialects)) {
    const { success, ast } = parse(renamed, one as Dialect);
    const [first, ...more] = success && Array.isArray(ast) ? ast as unknown[] : [];
    if (isNode(first) && more.length === 0 && !("raw" in first)) return first;
  }
  return undefined;
}

/** The members of a node of this kind; undefined for another. */
export function ofKind(node: unknown, kind: string): Node | undefined {
  const body = isNode(node) ? own(node, kind) : undefined;
  return isNode(body) ? body : undefined;
}

/** A member that is a list; empty where there is none. */
export function listOf(node: Node | undefined, member: string): unknown[] {
  const found = node && own(node, member);
  return Array.isArray(found) ? found : [];
}

/** The text of an identifier, written plainly or as a node. */
export function textOf(identifier: unknown): string | undefined {
  if (typeof identifier === "string") return identifier;
  if (!isNode(identifier)) return undefined;
  return textOf(identifier.name ?? identifier.identifier);
}

/** The parts of a table's name, from the outside in. */
export function segmentsOf(table: Node, dialect: string): string[] {
  const [catalog, schema, name] = [table.catalog, table.schema, table.name].map(textOf);
  // A catalog of two parts, and in BigQuery any name within one pair of backticks, holds dots.
  const outer = catalog?.split(".") ?? [];
  const inner = [schema, name].flatMap((segment) => segment === undefined ? [] : [segment]);
  return [
    ...outer,
    ...dialect === "bigquery" ? inner.flatMap((segment) => segment.split(".")) : inner,
  ];
}

/** Kinds of queries that are made of two. */
export const setOperations = ["union", "intersect", "except"] as const;

const queryKinds = new Set<string>([...setOperations, "select", "subquery", "values"]);

/** Whether a node of the parser's is a query. */
export function isQuery(node: unknown): node is Node {
  if (!isNode(node)) return false;
  const [kind, ...more] = Object.keys(node);
  return kind !== undefined && more.length === 0 && queryKinds.has(kind) && isNode(own(node, kind));
}

/** The kind of a node and its members. */
export function kindOf(node: unknown): { kind: string; body: Node } | undefined {
  if (!isNode(node)) return undefined;
  const [kind] = Object.keys(node);
  const body = kind === undefined ? undefined : own(node, kind);
  return kind !== undefined && isNode(body) ? { kind, body } : undefined;
}
