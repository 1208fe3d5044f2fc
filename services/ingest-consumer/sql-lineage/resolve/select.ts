import { own } from "#kit/own.ts";
import { isNode, listOf, type Node, ofKind } from "../parse/ast.ts";
import { type Column, Columns, isKnown, type KnownColumn, type Relation } from "./columns.ts";
import type { Ctes } from "./cte-names.ts";
import { openCtes } from "./ctes.ts";
import { namePartsOf } from "./expression.ts";
import { type Name, nameOfNode } from "./names.ts";
import { isQuery, kindOf } from "./node-kinds.ts";
import type { QueryReader } from "./context.ts";
import { openScope, type Scope } from "./scope.ts";
import { expandStar, starOf } from "./stars.ts";
import { type UseKind, Uses } from "./value.ts";

/** The columns of a SELECT. */
export function readSelect(
  select: Node,
  outerCtes: Ctes | null,
  outer: Scope | null,
  queries: QueryReader,
): Relation {
  const ctes = openCtes(select.with, outerCtes, outer, queries);
  const uses = new Uses();
  const joined = queries.from.read(select, ctes, outer, uses);
  const scope = openScope(outer, ctes, joined.sources, new Columns(joined.columns));
  for (const window of listOf(select, "windows")) {
    const name = isNode(window) ? nameOfNode(window.name) : null;
    if (name) scope.windows.set(name.lower, (window as Node).spec);
  }
  for (let one = ctes; one && one !== outerCtes; one = one.outer) {
    for (const { name, expression } of one.expressions) {
      scope.aliases.set(name.lower, queries.expressions.valueOf(expression, scope, uses));
    }
  }
  const columns = new Columns(
    listOf(select, "expressions").flatMap((one) => projected(one, scope, uses, queries)),
  );
  addUses(select, columns, scope, uses, queries);
  return { columns, uses };
}

/** The columns that one expression of a SELECT makes. */
function projected(expression: unknown, scope: Scope, uses: Uses, queries: QueryReader): Column[] {
  const star = starOf(expression);
  if (star) return expandStar(star, scope, uses, queries);
  const { name, value: of } = namedExpression(expression, queries.dialect);
  for (const used of unqualifiedNames(of)) {
    if (!scope.aliases.has(used)) scope.ofSources.add(used);
  }
  const value = queries.expressions.valueOf(of, scope, uses);
  const isAlias = name !== null && namePartsOf(expression) === undefined;
  if (isAlias && !scope.aliases.has(name.lower)) scope.aliases.set(name.lower, value);
  return [{ name, value }];
}

/** An expression and its name: an alias, or that of a column. */
function namedExpression(
  expression: unknown,
  dialect: string,
): { name: Name | null; value: unknown } {
  const alias = ofKind(expression, "alias");
  if (alias) return { name: nameOfNode(alias.alias), value: alias.this };
  const equals = dialect === "tsql" ? ofKind(expression, "eq") : undefined;
  const left = equals && namePartsOf(equals.left)?.parts;
  if (equals && left?.length === 1) {
    // What a variable gets is no column.
    return { name: left[0]!.text.startsWith("@") ? null : left[0]!, value: equals.right };
  }
  const name = namePartsOf(expression)?.parts.at(-1) ?? null;
  // A place, such as `$1`, is no name.
  return { name: name && /^\$\d+$/.test(name.text) ? null : name, value: expression };
}

/** Names without a qualifier in an expression, lower-case; not those of its subqueries. */
function unqualifiedNames(expression: unknown): string[] {
  const names: string[] = [];
  const open: unknown[] = [expression];
  for (let at = 0; at < open.length; at++) {
    const node = open[at];
    if (Array.isArray(node)) { for (const one of node) open.push(one); }
    if (!isNode(node) || isQuery(node)) continue;
    const parts = namePartsOf(node)?.parts;
    if (parts) {
      if (parts.length === 1) names.push(parts[0]!.lower);
    } else for (const one of Object.values(node)) open.push(one);
  }
  return names;
}

/** Clauses whose columns have a say in the rows, by the members of a SELECT. */
const clauses: [member: string, kind: UseKind][] = [
  ["where_clause", "FILTER"],
  ["prewhere", "FILTER"],
  ["connect", "FILTER"],
  ["having", "FILTER"],
  ["qualify", "FILTER"],
  ["distinct_on", "GROUP_BY"],
  ["group_by", "GROUP_BY"],
  ["cluster_by", "SORT"],
  ["distribute_by", "SORT"],
  ["sort_by", "SORT"],
  ["order_by", "SORT"],
];

function addUses(
  select: Node,
  columns: Columns,
  scope: Scope,
  uses: Uses,
  queries: QueryReader,
): void {
  for (const [member, kind] of clauses) {
    const clause = own(select, member);
    if (clause === null || clause === undefined) continue;
    const isList = kind === "GROUP_BY" || kind === "SORT";
    const parts = isList && isNode(clause) ? listOf(clause, "expressions") : [clause];
    for (const part of parts) {
      const selected = isList ? selectedBy(part, columns, scope, kind) : undefined;
      if (selected) uses.add(selected.value, kind);
      else uses.add(queries.expressions.valueOf(part, scope, uses), kind);
    }
  }
}

/** The selected column that a place, or a name in ORDER BY, means. */
function selectedBy(
  part: unknown,
  columns: Columns,
  scope: Scope,
  kind: UseKind,
): KnownColumn | undefined {
  const expression = kindOf(part)?.kind === "ordered"
    ? kindOf(part)!.body.this
    : isNode(part) && "this" in part
    ? part.this
    : part;
  const literal = ofKind(expression, "literal");
  if (literal?.literal_type === "number") {
    const column = columns.list[Number(literal.value) - 1];
    return column && isKnown(column) ? column : undefined;
  }
  const parts = namePartsOf(expression)?.parts;
  if (parts?.length !== 1) return undefined;
  if (kind === "GROUP_BY" && scope.columns.named(parts[0]!).length > 0) return undefined;
  return columns.named(parts[0]!)[0];
}
