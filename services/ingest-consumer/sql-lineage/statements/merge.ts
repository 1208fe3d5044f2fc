import { isNode, listOf, type Node, ofKind, segmentsOf, textOf } from "../parse/ast.ts";
import { Columns, isKnown } from "../resolve/columns.ts";
import { openCtes } from "../resolve/ctes.ts";
import { besides, type Joined, nothing, type Place } from "../resolve/joined.ts";
import { nameOf } from "../resolve/names.ts";
import type { QueryReader } from "../resolve/context.ts";
import { openScope, type Scope } from "../resolve/scope.ts";
import { untraced, Uses } from "../resolve/value.ts";
import type { Filled } from "./assign.ts";

/** What a statement fills in one table. */
export interface Filling {
  name: string[];
  filled: Filled[];
  uses: Uses;
}

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
    before: nothing,
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
  const [names, values] = lists.map((list) => listOf(list, "expressions")) as [
    unknown[],
    unknown[],
  ];
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
  return fields.map((name, at) => ({
    name,
    value: (list[at] as { value: Filled["value"] }).value,
  }));
}

/** The name of a column, with or without its table before it. */
const columnName = (node: unknown): string | undefined =>
  textOf(ofKind(node, "column")?.name ?? ofKind(node, "dot")?.field ?? node)?.split(".").at(-1);
