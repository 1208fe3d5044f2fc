import { own } from "#kit/own.ts";
import { isNode, type Node } from "../parse/ast.ts";

/** Kinds of queries that are made of two. */
export const setOperations = ["union", "intersect", "except"] as const;

const queries = new Set<string>([...setOperations, "select", "subquery", "values"]);

/** Whether a node of the parser's is a query. */
export function isQuery(node: unknown): node is Node {
  if (!isNode(node)) return false;
  const [kind, ...more] = Object.keys(node);
  return kind !== undefined && more.length === 0 && queries.has(kind) && isNode(own(node, kind));
}

/** The kind of a node and its members. */
export function kindOf(node: unknown): { kind: string; body: Node } | undefined {
  if (!isNode(node)) return undefined;
  const [kind] = Object.keys(node);
  const body = kind === undefined ? undefined : own(node, kind);
  return kind !== undefined && isNode(body) ? { kind, body } : undefined;
}
