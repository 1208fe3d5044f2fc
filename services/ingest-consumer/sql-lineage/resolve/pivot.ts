import { isNode, listOf, type Node, ofKind } from "../parse/ast.ts";
import {
  type Column,
  Columns,
  isKnown,
  renamed,
  union,
  unknownColumns,
  type Value,
} from "./columns.ts";
import { namePartsOf } from "./expression.ts";
import { type Joined, namesOf, type Place, type QueryReader } from "./joins.ts";
import { type Name, nameOf, nameOfNode } from "./names.ts";
import { openScope } from "./scope.ts";

/** The rows of a table turned into columns, one for each value and aggregate. */
export function pivoted(body: Node, place: Place, queries: QueryReader): Joined {
  if (body.unpivot === true || !Array.isArray(body.fields)) {
    return queries.from.unread(nameOfNode(body.alias));
  }
  const base = queries.from.item(body.this, place);
  const scope = openScope(place.outer, place.ctes, base.sources, new Columns(base.columns));
  const lists = listOf(body, "fields").map((field) => ofKind(field, "in"));
  for (const list of lists) {
    if (list) place.uses.add(queries.expressions.valueOf(list.this, scope, place.uses), "FILTER");
  }
  const aggregates = listOf(body, "expressions").map((one) => {
    const alias = ofKind(one, "alias");
    return {
      alias: nameOfNode(alias?.alias),
      value: queries.expressions.valueOf(alias?.this ?? one, scope, place.uses),
    };
  });
  const used = new Set([...listOf(body, "expressions"), ...lists].flatMap(namesIn));
  const names = valueNames(lists, queries.dialect);
  const made: Column[] = names
    ? names.flatMap((name) =>
      aggregates.map(({ alias, value }) => ({
        name: nameOf(pivotName(name, alias, aggregates.length, queries.dialect), true),
        value,
      }))
    )
    : [
      unknownColumns({
        made: union(aggregates.map(({ value }) => value)),
        gap: { reason: "star", at: undefined },
      }),
    ];
  return finished(body, [...rest(base.columns, used), ...made]);
}

/** Columns of a table turned into rows: one column for their names, others for their values. */
export function unpivoted(body: Node, place: Place, queries: QueryReader): Joined {
  const base = queries.from.item(body.this, place);
  const scope = openScope(place.outer, place.ctes, base.sources, new Columns(base.columns));
  const listed = listOf(body, "columns").map((one) => {
    const of = ofKind(one, "pivot_alias")?.this ?? one;
    return listOf(ofKind(of, "tuple"), "expressions").length > 0
      ? listOf(ofKind(of, "tuple"), "expressions")
      : [of];
  });
  const valueOf = (one: unknown): Value =>
    union([queries.expressions.valueOf(one, scope, place.uses)], 1);
  const used = new Set(listed.flatMap(namesIn));
  const labels = nameOfNode(body.name_column);
  const values = [body.value_column, ...listOf(body, "extra_value_columns")].map((one, at) => ({
    name: nameOfNode(one),
    value: union(listed.map((columns) => valueOf(columns[at]))),
  }));
  // The names of the columns are those of what it is made of.
  const label = { name: labels, value: union(listed.map((columns) => valueOf(columns))) };
  const valuesFirst = queries.dialect === "tsql" || queries.dialect === "bigquery";
  const made = valuesFirst ? [...values, label] : [label, ...values];
  return finished(body, [...rest(base.columns, used), ...made]);
}

function finished(body: Node, list: Column[]): Joined {
  const columns = renamed(new Columns(list), namesOf(body.alias_columns ?? body.column_aliases));
  return {
    sources: [{ alias: nameOfNode(body.alias), parts: [], columns }],
    columns: [...columns.list],
  };
}

/** What is neither turned nor aggregated. */
function rest(columns: Column[], used: Set<string>): Column[] {
  return columns.flatMap((one): Column[] => {
    if (!isKnown(one)) return [{ ...one, without: new Set([...one.without, ...used]) }];
    return one.name && used.has(one.name.lower) ? [] : [one];
  });
}

/** Names of columns in an expression, lower-case. */
function namesIn(expression: unknown): string[] {
  if (Array.isArray(expression)) return expression.flatMap(namesIn);
  const parts = namePartsOf(expression)?.parts;
  if (parts) return [parts.at(-1)!.lower];
  if (!isNode(expression)) return [];
  // The values of a list are no columns, be they written as names.
  const isList = "this" in expression && Array.isArray(expression.expressions) &&
    "not" in expression;
  return (isList ? [expression.this] : Object.values(expression)).flatMap(namesIn);
}

interface ValueName {
  text: string;
  isAlias: boolean;
  isText: boolean;
}

/** The names that the values of a PIVOT give its columns; undefined where they are not written out. */
function valueNames(lists: (Node | undefined)[], dialect: string): ValueName[] | undefined {
  const [list] = lists;
  if (!list || lists.length > 1 || listOf(list, "expressions").length === 0) return undefined;
  const names = listOf(list, "expressions").map((one): ValueName | undefined => {
    const alias = ofKind(one, "pivot_alias") ?? ofKind(one, "alias");
    if (alias) {
      const name = namePartsOf(alias.alias)?.parts.at(-1) ?? nameOfNode(alias.alias);
      return name ? { text: name.text, isAlias: true, isText: false } : undefined;
    }
    const literal = ofKind(one, "literal");
    const text = literal ? String(literal.value) : namePartsOf(one)?.parts.at(-1)?.text;
    if (text === undefined) return undefined;
    return { text, isAlias: false, isText: literal?.literal_type === "string" };
  });
  if (dialect === "generic" && names.some((name) => name === undefined)) return undefined;
  return names.every((name) => name !== undefined) ? names : undefined;
}

function pivotName(
  { text, isAlias, isText }: ValueName,
  alias: Name | null,
  count: number,
  dialect: string,
): string {
  const quotes = isText && !isAlias && (dialect === "snowflake" || dialect === "oracle");
  const value = quotes ? `'${text}'` : text;
  if (!alias) return value;
  if (dialect === "bigquery") return `${alias.text}_${value}`;
  const isPlain = count === 1 && ["spark", "databricks", "snowflake"].includes(dialect);
  return isPlain ? value : `${value}_${alias.text}`;
}
