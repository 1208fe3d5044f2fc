import { isQuery, listOf, type Node, ofKind, textOf } from "../parse/ast.ts";
import {
  type Column,
  Columns,
  isKnown,
  type Relation,
  renamed,
  union,
  type Uses,
} from "./columns.ts";
import type { Expressions } from "./expression.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import { type Ctes, type Names, openScope, type Scope, type Source } from "./scope.ts";
import type { Tables } from "./tables.ts";

/** Tables and queries side by side: what their names mean, and the columns of a star. */
export interface Joined {
  sources: Source[];
  columns: Column[];
}

/** Where an item of FROM stands. */
export interface Place {
  ctes: Ctes | null;
  /** The query around it. */
  outer: Scope | null;
  /** The items before it, which it sees where it is lateral. */
  before: Joined;
  uses: Uses;
}

/** Reads the FROM of queries. */
export interface FromReader {
  read(select: Node, ctes: Ctes | null, outer: Scope | null, uses: Uses): Joined;
  item(node: unknown, place: Place): Joined;
  lateralScope(place: Place): Scope;
  unread(alias: Name | null): Joined;
}

/** What the parts of the reader of queries share. */
export interface QueryReader {
  readonly dialect: string;
  readonly tables: Tables;
  readonly names: Names;
  readonly expressions: Expressions;
  readonly from: FromReader;
  relationOf(node: Node, ctes: Ctes | null, outer: Scope | null): Relation;
}

export const nothingJoined: Joined = { sources: [], columns: [] };

/** Maximum number of columns of what a query reads. */
const maxColumns = 100_000;

export function besides(left: Joined, right: Joined): Joined {
  if (left.sources.length === 0) return right;
  if (right.sources.length === 0) return left;
  const columns = [...left.columns, ...right.columns];
  if (columns.length > maxColumns) throw new RangeError("too many columns");
  return { sources: [...left.sources, ...right.sources], columns };
}

/** An alias of a join hides the names in it. */
export function underAlias(alias: Name, joined: Joined, names: Name[] = []): Joined {
  return queryUnder(alias, renamed(new Columns(joined.columns), names));
}

/** A query under a name. */
export function derived(
  relation: Relation,
  alias: Name | null,
  names: Name[],
  { uses }: Place,
): Joined {
  uses.include(relation.uses);
  return queryUnder(alias, renamed(relation.columns, names));
}

/** Columns under an alias, all of which a star shows. */
export function sourceOf(alias: Name | null, columns: Column[]): Joined {
  return { sources: [{ alias, parts: [], columns: new Columns(columns) }], columns };
}

function queryUnder(alias: Name | null, columns: Columns): Joined {
  return {
    sources: [{ alias, parts: [], columns, hasTwins: columns.hasTwins }],
    columns: [...columns.list],
  };
}

/** Names of a list of aliases for columns. */
export function namesOf(list: unknown): Name[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    const name = nameOfNode(one) ?? nameOfNode(ofKind(one, "column_def")?.name) ??
      nameOfNode(ofKind(one, "column")?.name);
    return name ?? nameOf(textOf(one) ?? "");
  });
}

/** Systems that leave the columns of USING where they are; others put them first. */
const usingInPlace = new Set(["sqlite", "duckdb", "clickhouse"]);

/** What stood before a join, joined with its table. */
export function joinedWith(left: Joined, join: Node, place: Place, queries: QueryReader): Joined {
  const kind = JSON.stringify(join.kind ?? "");
  if (/Array/.test(kind)) return besides(left, arrayJoin(join, place, queries));
  const isApplied = /Apply/.test(kind) && isQuery(join.this);
  const right = queries.from.item(isApplied ? asLateral(join.this as Node) : join.this, place);
  const isHalf = /semi|anti/i.test(kind);
  const names = /natural/i.test(kind) ? commonNames(left, right) : namesOf(join.using);
  const merged = names.length > 0
    ? mergedColumns(left, right, names, isHalf, place, queries)
    : undefined;
  const all = besides(left, right);
  const seen = besides(place.before, right);
  const scope = openScope(place.outer, place.ctes, seen.sources, new Columns(seen.columns));
  for (const condition of [join.on, join.match_condition]) {
    if (condition) {
      place.uses.add(queries.expressions.valueOf(condition, scope, place.uses), "JOIN");
    }
  }
  if (merged) return { sources: all.sources, columns: merged };
  // The rows of the other side have no columns in the result.
  return isHalf ? { sources: all.sources, columns: left.columns } : all;
}

/** A query that sees the items before it. */
function asLateral(node: Node): Node {
  const body = ofKind(node, "subquery");
  return body ? { subquery: { ...body, lateral: true } } : node;
}

/** Names that are known to be of columns of both sides. */
function commonNames(left: Joined, right: Joined): Name[] {
  const other = new Columns(right.columns);
  return left.columns.flatMap((one) =>
    isKnown(one) && one.name && other.named(one.name).length > 0 ? one.name : []
  );
}

/** The columns of a join whose columns of these names are one. */
function mergedColumns(
  left: Joined,
  right: Joined,
  names: Name[],
  isHalf: boolean,
  { uses }: Place,
  queries: QueryReader,
): Column[] {
  const sides = [left, right].map(({ columns }) => new Columns(columns));
  const columns = names.map((name) => {
    const values = sides.map((one) => queries.names.columnOf(one, name, undefined));
    for (const value of values) if (value) uses.add(value, "JOIN");
    const taken = isHalf ? values.slice(0, 1) : values;
    return { name, value: union(taken.flatMap((value) => value ?? [])) };
  });
  const lower = new Set(names.map((name) => name.lower));
  const rest = (list: readonly Column[]): Column[] =>
    list.flatMap((one): Column[] => {
      if (!isKnown(one)) return [{ ...one, without: new Set([...one.without, ...lower]) }];
      return one.name && lower.has(one.name.lower) ? [] : [one];
    });
  const others = isHalf ? [] : rest(right.columns);
  if (!usingInPlace.has(queries.dialect) || !left.columns.every(isKnown)) {
    return [...columns, ...rest(left.columns), ...others];
  }
  const byName = new Map(columns.map((one) => [one.name.lower, one]));
  const placed = left.columns.map((one) =>
    isKnown(one) && one.name ? byName.get(one.name.lower) ?? one : one
  );
  return [...placed, ...others];
}

/** `ARRAY JOIN` of ClickHouse: elements of arrays, under their own or other names. */
function arrayJoin(join: Node, place: Place, queries: QueryReader): Joined {
  const list = ofKind(join.this, "tuple");
  const items = list ? listOf(list, "expressions") : [join.this];
  const scope = queries.from.lateralScope(place);
  const columns = items.flatMap((item): Column[] => {
    const alias = ofKind(item, "alias");
    const table = ofKind(item, "table");
    const name = nameOfNode(alias?.alias) ?? nameOfNode(table?.alias);
    if (!name) return [];
    const of = alias?.this ?? { column: { name: table?.name, table: table?.schema } };
    return [{ name, value: queries.expressions.valueOf(of, scope, place.uses) }];
  });
  return sourceOf(null, columns);
}
