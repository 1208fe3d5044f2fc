import { isNode, listOf, type Node } from "./ast.ts";

/** A query whose rows become those of a table. */
export interface WriteStatement {
  /** The parts of the table's name; null when the query stands alone. */
  target: string[] | null;
  /** The columns that it fills, in order; empty when none are named. */
  columns: string[];
  /** Columns are identified by position, not by name. */
  byPlace: boolean;
  query: Node;
  /** The target's own place in the query, which sees it as it was before. */
  seen?: Node;
}

/** A query with the common table expressions that stand before its statement. */
export function withCtes(query: Node, outer: unknown): Node {
  if (!isNode(outer)) return query;
  const [kind, body] = Object.entries(query)[0] as [string, Node];
  const ctes = [...listOf(outer, "ctes"), ...listOf(body.with as Node | undefined, "ctes")];
  return { [kind]: { ...body, with: { ...outer, ctes } } };
}
