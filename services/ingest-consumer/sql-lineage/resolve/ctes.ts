import { isNode, listOf, type Node } from "../parse/ast.ts";
import { Columns, type Relation, renamed } from "./columns.ts";
import { type Name, nameOfNode } from "./names.ts";
import { isQuery, kindOf } from "./node-kinds.ts";
import type { Queries } from "./queries.ts";
import type { Scope } from "./scope.ts";
import { branchesOf, combined } from "./set-operations.ts";
import { Uses } from "./value.ts";

/** Systems where a common table expression may name itself without RECURSIVE. */
const recursive = new Set(["tsql", "oracle", "snowflake"]);
/** Steps after which columns that go on changing places are given up. */
const maxSteps = 12;

/** Common table expressions by name, in those around them. */
export class Ctes {
  readonly #relations = new Map<string, () => Relation>();
  /** Expressions that have a name, as ClickHouse writes them. */
  readonly expressions: { name: Name; expression: unknown }[] = [];

  constructor(readonly outer: Ctes | null) {}

  find(name: string): Relation | undefined {
    return this.#relations.get(name)?.() ?? this.outer?.find(name);
  }

  /** What it stands for is read when it is first asked for. */
  define(name: string, read: () => Relation): void {
    let known: Relation | undefined;
    this.#relations.set(name, () => known ??= read());
  }
}

/** The common table expressions of a WITH, each seen by those after it. */
export function openCtes(
  clause: unknown,
  outer: Ctes | null,
  scope: Scope | null,
  queries: Queries,
): Ctes | null {
  if (!isNode(clause)) return outer;
  let ctes = outer;
  for (const cte of listOf(clause, "ctes")) {
    const name = isNode(cte) ? nameOfNode(cte.alias) : null;
    if (!isNode(cte) || !name) continue;
    const before = ctes;
    ctes = new Ctes(before);
    if (!isQuery(cte.this)) {
      ctes.expressions.push({ name, expression: cte.this });
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

const isUnion = (body: Node) => kindOf(body)?.kind === "union";

/** A union of which the parts after the first may name the whole. */
function recur(
  name: Name,
  names: Name[],
  body: Node,
  before: Ctes | null,
  scope: Scope | null,
  queries: Queries,
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
