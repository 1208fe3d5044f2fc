import { isNode, listOf, type Node, ofKind, segmentsOf, textOf } from "../parse/ast.ts";
import {
  type Column,
  Columns,
  type GapReason,
  isKnown,
  type KnownColumn,
  untraced,
  Uses,
  type Value,
} from "../resolve/columns.ts";
import { openCtes } from "../resolve/ctes.ts";
import {
  besides,
  type Joined,
  nothingJoined,
  type Place,
  type QueryReader,
} from "../resolve/joins.ts";
import { nameOf } from "../resolve/names.ts";
import { openScope, type Scope } from "../resolve/scope.ts";
import { type Target, targetOf } from "./statement.ts";

/** A column of a target, and what fills it. */
export interface Filled {
  /** Null where nothing tells the column. */
  name: string | null;
  value: Value;
}

/** What a statement fills in one table. */
export interface Filling {
  name: string[];
  filled: Filled[];
  uses: Uses;
}

/** Which columns of its target a query fills with what. `fields`: those of the target in order, none where unknown. */
export function filledBy(
  into: Target,
  columns: Columns,
  fields: readonly string[],
  dialect: string,
): Filled[] {
  if (into.columns) return byPlace(columns, into.columns, true);
  if (into.without.length > 0) {
    const without = new Set(into.without.map((name) => name.toLowerCase()));
    const rest = fields.filter((field) => !without.has(field.toLowerCase()));
    return rest.length > 0 ? byPlace(columns, rest, true) : nowhere(columns, "structure");
  }
  if (into.by === "position" && fields.length > 0) {
    // SQL Server leaves out columns that number themselves, which a structure does not tell.
    return byPlace(columns, withPartition(fields, into.partition), dialect === "tsql");
  }
  if (into.by === "position" && into.partition.length > 0) return nowhere(columns, "structure");
  return byName(columns, fields, into.by === "name" ? dialect : "");
}

/** The columns that a query fills in their order: those of a partition come last. */
function withPartition(fields: readonly string[], partition: Target["partition"]): string[] {
  const names = new Set(partition.map(({ name }) => name.toLowerCase()));
  const own = fields.filter((field) => !names.has(field.toLowerCase()));
  return [...own, ...partition.filter(({ fixed }) => !fixed).map(({ name }) => name)];
}

/** By place, as far as no columns before are unknown. */
function byPlace(columns: Columns, names: readonly string[], isExact: boolean): Filled[] {
  const { list } = columns;
  const end = list.findIndex((one) => !isKnown(one));
  const count = end < 0 ? list.length : end;
  const fits = end < 0 && isExact ? count === names.length : count <= names.length;
  if (!fits) return nowhere(columns, "position");
  const placed = list.slice(0, count)
    .map((one, at) => ({ name: names[at]!, value: (one as KnownColumn).value }));
  const behind = end < 0
    ? []
    : names.slice(count).map((name) => ({ name, value: starValue(list[end]!) }));
  return [...placed, ...behind];
}

function byName(columns: Columns, fields: readonly string[], dialect: string): Filled[] {
  const { list } = columns;
  const isSameCount = fields.length === list.length && list.every(isKnown);
  return list.flatMap((one, at): Filled[] => {
    if (!isKnown(one)) return [{ name: null, value: starValue(one) }];
    const name = one.name?.text ?? (isSameCount ? fields[at]! : placeName(at, fields, dialect));
    if (name !== null) return [{ name, value: one.value }];
    return one.value.origins.size > 0 ? [{ name: null, value: untraced("unnamed") }] : [];
  });
}

/** How systems call a column that has no name; where that is not known, nobody does. */
function placeName(at: number, fields: readonly string[], dialect: string): string | null {
  if (fields.length > 0) return null;
  if (dialect === "generic") return `_col_${at}`;
  return ["trino", "presto", "athena"].includes(dialect) ? `_col${at}` : null;
}

const nowhere = (columns: Columns, reason: GapReason): Filled[] =>
  columns.list.length > 0 ? [{ name: null, value: untraced(reason) }] : [];

const starValue = (column: Column): Value =>
  untraced("star", isKnown(column) ? undefined : column.gap?.at);

/** What the clauses of a MERGE fill; undefined when it is not understood. */
export function mergedBy(
  body: Node,
  fieldsOf: (name: string[]) => readonly string[],
  queries: QueryReader,
): Filling | undefined {
  const table = ofKind(body.this, "table") ?? ofKind(ofKind(body.this, "alias")?.this, "table");
  if (!table || !isNode(body.using)) return undefined;
  const name = segmentsOf(table, queries.dialect);
  const uses = new Uses();
  const place: Place = {
    ctes: openCtes(ofKind(body.with_, "with") ?? body.with, null, null, queries),
    outer: null,
    before: nothingJoined,
    uses,
  };
  const source = queries.from.item(body.using, place);
  queries.tables.changed = name;
  const target = queries.from.item(body.this, { ...place, ctes: null });
  queries.tables.changed = null;
  const both = scopeOf(besides(target, source), place);
  uses.add(queries.expressions.valueOf(body.on, both, uses), "JOIN");
  const merge = { source: scopeOf(source, place), both, uses, fields: fieldsOf(name), queries };
  const whens = listOf(ofKind(body.whens, "whens"), "expressions");
  const filled: Filled[] = [];
  for (const one of whens) {
    const clause = clauseOf(ofKind(one, "when"), merge);
    if (!clause) return undefined;
    filled.push(...clause);
  }
  return { name, filled, uses };
}

interface Merge {
  source: Scope;
  both: Scope;
  uses: Uses;
  /** Columns of the target; none where they are unknown. */
  fields: readonly string[];
  queries: QueryReader;
}

const scopeOf = ({ sources, columns }: Joined, { ctes }: Place) =>
  openScope(null, ctes, sources, new Columns(columns));

/** What one WHEN fills; undefined when it is not understood. */
function clauseOf(when: Node | undefined, merge: Merge): Filled[] | undefined {
  if (!when) return undefined;
  const alone = ofKind(when.then, "var")?.this;
  if (typeof alone === "string" && /^(DELETE|DO NOTHING)$/i.test(alone)) return [];
  const [action, ...parts] = listOf(ofKind(when.then, "tuple"), "expressions");
  const kind = String(ofKind(action, "var")?.this).toUpperCase();
  const where = parts.flatMap((part) => ofKind(part, "where")?.this ?? []);
  const given = parts.filter((part) => !ofKind(part, "where"));
  const filled = kind === "UPDATE"
    ? setBy(given, merge)
    : kind === "INSERT"
    ? insertedBy(given, merge)
    : undefined;
  if (!filled) return undefined;
  for (const condition of [when.condition, ...where].filter(isNode)) {
    merge.uses.add(merge.queries.expressions.valueOf(condition, merge.both, merge.uses), "FILTER");
  }
  return filled;
}

function setBy([list, ...rest]: unknown[], merge: Merge): Filled[] | undefined {
  if (rest.length > 0) return undefined;
  if (ofKind(list, "star")) return allByName(merge);
  const pairs = listOf(ofKind(list, "tuple"), "expressions").map((one) => ofKind(one, "eq"));
  if (pairs.length === 0) return undefined;
  const filled: Filled[] = [];
  for (const pair of pairs) {
    const name = columnName(pair?.left);
    if (name === undefined) return undefined;
    filled.push({ name, value: valueOf(pair!.right, merge.both, merge) });
  }
  return filled;
}

function insertedBy(parts: unknown[], merge: Merge): Filled[] | undefined {
  const [first] = parts;
  if (parts.length === 1 && ofKind(first, "star")) return allByName(merge);
  if (parts.length === 1 && String(ofKind(first, "var")?.this).toUpperCase() === "ROW") {
    return allByPlace(merge);
  }
  const lists = parts.map((part) => ofKind(part, "tuple"));
  if (lists.length === 0 || lists.length > 2 || lists.includes(undefined)) return undefined;
  const [names = [], values] = lists.map((list) => listOf(list, "expressions"));
  const columns = values === undefined ? merge.fields : names.map(columnName);
  const filling = values ?? names;
  if (columns.length !== filling.length) return [{ name: null, value: untraced("position") }];
  return filling.map((one, at) => ({
    name: columns[at] ?? null,
    value: valueOf(one, merge.source, merge),
  }));
}

const valueOf = (node: unknown, scope: Scope, { queries, uses }: Merge) =>
  queries.expressions.valueOf(node, scope, uses);

/** Each column of the target gets that of the source which has its name. */
function allByName({ fields, source, queries }: Merge): Filled[] {
  if (fields.length === 0) return [{ name: null, value: untraced("structure") }];
  return fields.flatMap((field): Filled[] => {
    const value = queries.names.columnOf(source.columns, nameOf(field), undefined);
    return value ? [{ name: field, value }] : [];
  });
}

function allByPlace({ fields, source: { columns } }: Merge): Filled[] {
  const { list } = columns;
  if (list.length !== fields.length || !list.every(isKnown)) {
    return [{ name: null, value: untraced(fields.length > 0 ? "position" : "structure") }];
  }
  return list.map(({ value }, at) => ({ name: fields[at]!, value }));
}

/** The name of a column, with or without its table before it. */
const columnName = (node: unknown): string | undefined =>
  textOf(ofKind(node, "column")?.name ?? ofKind(node, "dot")?.field ?? node)?.split(".").at(-1);

/** What the parts of an `INSERT ALL` or `INSERT FIRST` fill; undefined when it is not understood. */
export function insertedToAll(
  body: Node,
  fieldsOf: (name: string[]) => readonly string[],
  queries: QueryReader,
): Filling[] | undefined {
  if (!isNode(body.source)) return undefined;
  const source = queries.relationOf(body.source, null, null);
  const parts = listOf(body, "expressions").map((one) => ofKind(one, "conditional_insert"));
  const uses = new Uses();
  uses.include(source.uses);
  const sources = [{ alias: null, parts: [], columns: source.columns }];
  const scope = openScope(null, null, sources, source.columns);
  const fillings = parts.map((part): Filling | undefined => {
    const insert = ofKind(part?.this, "insert");
    const table = insert?.table;
    if (!part || !insert || !isNode(table)) return undefined;
    uses.add(queries.expressions.valueOf(part.expression, scope, uses), "FILTER");
    const name = segmentsOf(table, queries.dialect);
    const [values] = listOf(insert, "values");
    const columns = listOf(insert, "columns").flatMap((one) => textOf(one) ?? []);
    const made = Array.isArray(values)
      ? values.map((one) => queries.expressions.valueOf(one, scope, uses))
      : undefined;
    const filled = filledByPart(source.columns, columns, fieldsOf(name), made, queries);
    return { name, filled, uses };
  });
  return fillings.every((one) => one !== undefined) ? fillings : undefined;
}

function filledByPart(
  all: Columns,
  columns: string[],
  fields: readonly string[],
  values: Value[] | undefined,
  queries: QueryReader,
): Filled[] {
  if (values) {
    const names = columns.length > 0 ? columns : fields;
    return names.length === values.length
      ? values.map((value, at) => ({ name: names[at]!, value }))
      : [];
  }
  const into = targetOf([], { by: "position", columns: columns.length > 0 ? columns : null });
  return filledBy(into, all, fields, queries.dialect);
}
