import { isNode, listOf, type Node } from "../parse/ast.ts";
import { Columns, type Relation, renamed, unknownColumns } from "./columns.ts";
import { type Name, nameOfNode } from "./names.ts";
import { isQuery, kindOf, setOperations } from "./node-kinds.ts";
import type { Scope } from "./scope.ts";
import { combined } from "./combine.ts";
import type { QueryReader } from "./context.ts";
import { Ctes } from "./cte-names.ts";
import { Uses } from "./value.ts";

/** Systems where a common table expression may name itself without RECURSIVE. */
const recursive = new Set(["tsql", "oracle", "snowflake"]);
/** Maximum number of steps for columns that keep changing positions. */
const maxSteps = 12;

/** The common table expressions of a WITH, each seen by those after it. */
export function openCtes(
  clause: unknown,
  outer: Ctes | null,
  scope: Scope | null,
  queries: QueryReader,
): Ctes | null {
  if (!isNode(clause)) return outer;
  let ctes = outer;
  for (const cte of listOf(clause, "ctes")) {
    const name = isNode(cte) ? nameOfNode(cte.alias) : null;
    if (!isNode(cte) || !name) continue;
    const before = ctes;
    ctes = new Ctes(before);
    if (!isQuery(cte.this)) {
      if (queries.dialect === "clickhouse") {
        ctes.expressions.push({ name, expression: cte.this });
      } else ctes.define(name.lower, unreadRelation);
      continue;
    }
    const body = cte.this;
    const names = listOf(cte, "columns").flatMap((one) => nameOfNode(one) ?? []);
    const mayRecur = clause.recursive === true || recursive.has(queries.dialect);
    ctes.define(name.lower, () => {
      const read = mayRecur && isUnion(body)
        ? recur(name, names, body, before, scope, queries)
        : queries.relationOf(body, before, scope);
      return { columns: renamed(read.columns, names), uses: read.uses };
    });
  }
  return ctes;
}

/** A statement that returns rows, such as `INSERT … RETURNING`. */
const unreadRelation = (): Relation => ({
  columns: new Columns([unknownColumns({ gap: { reason: "statement", at: undefined } })]),
  uses: new Uses(),
});

const isUnion = (body: Node) => kindOf(body)?.kind === "union";

/** A union of which the parts after the first may name the whole. */
function recur(
  name: Name,
  names: Name[],
  body: Node,
  before: Ctes | null,
  scope: Scope | null,
  queries: QueryReader,
): Relation {
  const { first, others, ctes: own } = branchesOf(body, before, scope, queries);
  let whole = queries.relationOf(first, own, scope);
  const uses = new Uses();
  uses.include(whole.uses);
  for (let step = 0, size = -1; step < maxSteps && size !== sizeOf(whole.columns); step++) {
    size = sizeOf(whole.columns);
    const seen = { columns: renamed(whole.columns, names), uses: new Uses() };
    const inner = new Ctes(own);
    inner.define(name.lower, () => seen);
    const columns = [whole.columns];
    for (const other of others) {
      const read = queries.relationOf(other.node, inner, scope);
      uses.include(read.uses);
      columns.push(read.columns);
    }
    whole = { columns: combined(columns, false), uses };
  }
  return whole;
}

const sizeOf = (columns: Columns) =>
  columns.list.reduce((sum, one) => {
    const { origins } = "value" in one ? one.value : one.made;
    return sum + origins.size +
      [...origins.values()].reduce<number>((all, level) => all + level, 0);
  }, 0);

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
  queries: QueryReader,
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
