import { isNode, listOf, type Node } from "../parse/ast.ts";
import { type Columns, isKnown, type Relation } from "./columns.ts";
import { combined } from "./combine.ts";
import type { QueryReader } from "./context.ts";
import type { Ctes } from "./cte-names.ts";
import { branchesOf } from "./ctes.ts";
import { kindOf } from "./node-kinds.ts";
import type { Scope } from "./scope.ts";
import { Uses } from "./value.ts";

/** A query of several that are set together. */
export function setOperation(
  node: Node,
  outer: Ctes | null,
  scope: Scope | null,
  queries: QueryReader,
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
