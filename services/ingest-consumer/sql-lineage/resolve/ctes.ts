import { isNode, isQuery, kindOf, listOf, type Node, setOperations } from "../parse/ast.ts";
import {
  type Column,
  Columns,
  isKnown,
  type KnownColumn,
  type Relation,
  renamed,
  union,
  unknownColumns,
  untraced,
  Uses,
  type Value,
} from "./columns.ts";
import { type Name, nameOfNode } from "./names.ts";
import { Ctes, type Scope } from "./scope.ts";
import type { QueryReader } from "./joins.ts";

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

/** A statement that is no query and returns rows, such as `INSERT … RETURNING`. */
export const unreadRelation = (): Relation => ({
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
