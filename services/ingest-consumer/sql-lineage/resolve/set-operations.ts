import { isNode, listOf, type Node } from "../parse/ast.ts";
import { type Column, Columns, isKnown, type KnownColumn, type Relation } from "./columns.ts";
import { type Ctes, openCtes } from "./ctes.ts";
import { kindOf, setOperations } from "./node-kinds.ts";
import type { Queries } from "./queries.ts";
import type { Scope } from "./scope.ts";
import { union, untraced, Uses, type Value } from "./value.ts";

interface Branch {
  node: Node;
  kind: (typeof setOperations)[number];
  byName: boolean;
}

/** A chain of set operations: its first query, and the others with what is done with each. */
export interface Branches {
  first: Node;
  others: Branch[];
  ctes: Ctes | null;
}

/** Takes a chain apart, however long it is. */
export function branchesOf(
  node: Node,
  outer: Ctes | null,
  scope: Scope | null,
  queries: Queries,
): Branches {
  const others: Branch[] = [];
  let ctes = outer;
  let first = node;
  for (;;) {
    const found = kindOf(first);
    const kind = setOperations.find((one) => one === found?.kind);
    if (!found || !kind || !isNode(found.body.left) || !isNode(found.body.right)) break;
    ctes = openCtes(found.body.with, ctes, scope, queries);
    const byName = found.body.by_name === true || found.body.corresponding === true;
    others.unshift({ node: found.body.right, kind, byName });
    first = found.body.left;
  }
  return { first, others, ctes };
}

/** A query of several that are set together. */
export function setOperation(
  node: Node,
  outer: Ctes | null,
  scope: Scope | null,
  queries: Queries,
): Relation {
  const { first, others, ctes } = branchesOf(node, outer, scope, queries);
  const uses = new Uses();
  const start = queries.relationOf(first, ctes, scope);
  uses.include(start.uses);
  let parts = [start.columns];
  let byName = false;
  for (const other of others) {
    const read = queries.relationOf(other.node, ctes, scope);
    uses.include(read.uses);
    if (other.kind === "except") {
      // What is taken away has no value in the result.
      for (const one of read.columns.list) if (isKnown(one)) uses.add(one.value, "FILTER");
      continue;
    }
    if (parts.length > 1 && byName !== other.byName) parts = [combined(parts, byName)];
    byName = other.byName;
    parts.push(read.columns);
  }
  const columns = combined(parts, byName);
  sortedBy(node, columns, uses);
  return { columns, uses };
}

function sortedBy(node: Node, columns: Columns, uses: Uses): void {
  const order = kindOf(node)?.body.order_by;
  for (const one of isNode(order) ? listOf(order, "expressions") : []) {
    const column = kindOf(isNode(one) ? one.this : undefined);
    const name = column?.kind === "column" ? JSON.stringify(column.body.name) : "";
    for (const known of columns.list) {
      if (isKnown(known) && known.name && name.includes(JSON.stringify(known.name.text))) {
        uses.add(known.value, "SORT");
      }
    }
  }
}

/** The columns of queries that are set together: their names are those of the first. */
export function combined(parts: Columns[], byName: boolean): Columns {
  if (parts.length < 2) return parts[0]!;
  return byName ? combinedByName(parts) : combinedByPlace(parts);
}

function combinedByPlace(parts: Columns[]): Columns {
  const [first] = parts as [Columns];
  const unknownAt = (columns: Columns) => columns.list.findIndex((one) => !isKnown(one));
  const ends = parts.map(unknownAt).filter((at) => at >= 0);
  const known = ends.length > 0 ? Math.min(...ends) : first.list.length;
  const isEven = ends.length > 0 || parts.every(({ list }) => list.length === first.list.length);
  return new Columns(first.list.map((column, at): Column => {
    if (!isEven) return isKnown(column) ? { ...column, value: untraced("position") } : column;
    if (!isKnown(column)) return { ...column, gap: { reason: "star", at: column.gap?.at } };
    if (at >= known) {
      const { origins } = column.value;
      return { ...column, value: { origins, gap: { reason: "star", at: undefined } } };
    }
    const values = parts.map(({ list }) => (list[at] as KnownColumn).value);
    return { ...column, value: union(values) };
  }));
}

function combinedByName(parts: Columns[]): Columns {
  const names = new Map<string, { column: KnownColumn; values: Value[] }>();
  const list: Column[] = [];
  for (const column of parts.flatMap((one) => one.list)) {
    const key = isKnown(column) ? column.name?.lower : undefined;
    if (!isKnown(column) || key === undefined) list.push(column);
    else if (names.has(key)) names.get(key)!.values.push(column.value);
    else names.set(key, { column, values: [column.value] });
  }
  const known = [...names.values()].map(({ column, values }) => ({
    ...column,
    value: union(values),
  }));
  return new Columns([...known, ...list]);
}
