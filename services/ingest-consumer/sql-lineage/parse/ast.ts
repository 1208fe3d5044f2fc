import { own } from "#kit/own.ts";

/** A node of the parser's tree: one member, named after its kind, or the members of one. */
export type Node = Record<string, unknown>;

/** The members of a node of this kind; undefined for another. */
export function ofKind(node: unknown, kind: string): Node | undefined {
  const body = isNode(node) ? own(node, kind) : undefined;
  return isNode(body) ? body : undefined;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

/** An identifier that the generator writes within quotes. */
export const identifier = (name: string): Node => ({
  name,
  quoted: true,
  trailing_comments: [],
});

/** An expression under a name. */
export const aliased = (expression: unknown, name: string): Node => ({
  alias: {
    this: expression,
    alias: identifier(name),
    column_aliases: [],
    alias_explicit_as: true,
    pre_alias_comments: [],
    trailing_comments: [],
  },
});
