import { listOf, type Node, ofKind } from "../parse/ast.ts";
import { type Column, Columns, isKnown } from "./columns.ts";
import { besides, type Joined, namesOf, type Place } from "./joined.ts";
import { type Name, nameOfNode } from "./names.ts";
import { isQuery } from "./node-kinds.ts";
import type { QueryReader } from "./context.ts";
import { openScope } from "./scope.ts";
import { union } from "./value.ts";

/** Systems that leave the columns of USING where they are; others put them first. */
const inPlace = new Set(["sqlite", "duckdb", "clickhouse"]);

/** What stood before a join, joined with its table. */
export function joinedWith(left: Joined, join: Node, place: Place, queries: QueryReader): Joined {
  const kind = JSON.stringify(join.kind ?? "");
  if (/Array/.test(kind)) return besides(left, arrays(join, place, queries));
  const isApplied = /Apply/.test(kind) && isQuery(join.this);
  const right = queries.from.item(isApplied ? lateral(join.this as Node) : join.this, place);
  const isHalf = /semi|anti/i.test(kind);
  const names = /natural/i.test(kind) ? commonNames(left, right) : namesOf(join.using);
  const merged = names.length > 0 ? merge(left, right, names, isHalf, place, queries) : undefined;
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
function lateral(node: Node): Node {
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
function merge(
  left: Joined,
  right: Joined,
  names: Name[],
  isHalf: boolean,
  { uses }: Place,
  queries: QueryReader,
): Column[] {
  const [before, after] = [left, right].map(({ columns }) => new Columns(columns)) as [
    Columns,
    Columns,
  ];
  const columns = names.map((name) => {
    const values = [before, after].map((one) => queries.names.columnOf(one, name, undefined));
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
  if (!inPlace.has(queries.dialect) || !left.columns.every(isKnown)) {
    return [...columns, ...rest(left.columns), ...others];
  }
  const byName = new Map(columns.map((one) => [one.name.lower, one]));
  const placed = left.columns.map((one) =>
    isKnown(one) && one.name ? byName.get(one.name.lower) ?? one : one
  );
  return [...placed, ...others];
}

/** `ARRAY JOIN` of ClickHouse: elements of arrays, under their own or other names. */
function arrays(join: Node, place: Place, queries: QueryReader): Joined {
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
  return { sources: [{ alias: null, parts: [], columns: new Columns(columns) }], columns };
}
