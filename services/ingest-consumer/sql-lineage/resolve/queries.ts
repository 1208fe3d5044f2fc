import { own } from "#kit/own.ts";
import { isNode, isQuery, kindOf, listOf, type Node, setOperations } from "../parse/ast.ts";
import { Columns, isKnown, type Relation, union, Uses } from "./columns.ts";
import { branchesOf, combined, openCtes, unreadRelation } from "./ctes.ts";
import { Expressions } from "./expression.ts";
import { From } from "./from.ts";
import type { QueryReader } from "./joins.ts";
import { nameOf } from "./names.ts";
import { type Ctes, Names, openScope, type Scope } from "./scope.ts";
import { readSelect } from "./select.ts";
import type { Tables } from "./tables.ts";

/** Reads the columns of queries. */
export class Queries implements QueryReader {
  readonly names: Names;
  readonly expressions: Expressions;
  readonly from: From;

  constructor(readonly dialect: string, readonly tables: Tables) {
    this.names = new Names(dialect, tables);
    this.expressions = new Expressions(this.names, (node, scope) => this.#value(node, scope));
    this.from = new From(this);
  }

  /** The columns of a query, which sees these common table expressions and the names around it. */
  relationOf(node: Node, ctes: Ctes | null, outer: Scope | null): Relation {
    let inner = node;
    let seen = ctes;
    for (let found = kindOf(inner); found?.kind === "subquery"; found = kindOf(inner)) {
      seen = openCtes(found.body.with, seen, outer, this);
      if (!isNode(found.body.this)) break;
      inner = found.body.this;
    }
    const found = kindOf(inner);
    if (found && setOperations.some((kind) => kind === found.kind)) {
      return setOperation(inner, seen, outer, this);
    }
    if (found?.kind === "select") {
      const operation = setOperationAtEnd(found.body);
      return operation
        ? setOperation(operation, seen, outer, this)
        : readSelect(found.body, seen, outer, this);
    }
    if (found?.kind === "values") return this.#valuesOf(found.body, seen, outer);
    return unreadRelation();
  }

  /** Rows that are written out; their columns have the names that PostgreSQL gives them. */
  #valuesOf(body: Node, ctes: Ctes | null, outer: Scope | null): Relation {
    const uses = new Uses();
    const scope = openScope(outer, ctes, [], new Columns([]));
    const rows = listOf(body, "expressions").map((row) =>
      isNode(row) && Array.isArray(row.expressions) ? row.expressions : [row]
    );
    const width = Math.max(0, ...rows.map((row) => row.length));
    const columns = Array.from({ length: width }, (_, at) => ({
      name: nameOf(`column${at + 1}`),
      value: union(rows.map((row) => this.expressions.valueOf(row[at], scope, uses))),
    }));
    return { columns: new Columns(columns), uses };
  }

  /** A query as a value: what it selects. */
  #value(node: Node, scope: Scope) {
    if (!isQuery(node)) return { value: union([]), uses: new Uses() };
    const { columns, uses } = this.relationOf(node, scope.ctes, scope);
    const values = columns.list.map((one) =>
      isKnown(one)
        ? one.value
        : { ...one.made, gap: one.gap ?? { reason: "star" as const, at: undefined } }
    );
    return { value: union(values), uses };
  }
}

/** A query of several that are set together. */
function setOperation(
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

/**
 * The set operation of which a SELECT is the first query, where the parser made it part of the last expression: it reads
 * `SELECT a FROM t WHERE a > (SELECT b FROM u) UNION SELECT c FROM v` as `a > ((SELECT b FROM u) UNION SELECT c FROM v)`.
 * No system has a set operation there without parentheses. Undefined for any other SELECT.
 */
function setOperationAtEnd(select: Node): Node | undefined {
  for (const clause of ["qualify", "having"]) {
    if (isNode(own(select, clause))) return operationInClause(select, clause);
  }
  if (isNode(select.group_by)) return undefined;
  if (isNode(select.where_clause)) return operationInClause(select, "where_clause");
  const joins = listOf(select, "joins");
  const last = joins.at(-1);
  if (isNode(last)) {
    return operationIn(
      last.on,
      (on) => ({ ...select, joins: [...joins.slice(0, -1), { ...last, on }] }),
    );
  }
  if (isNode(select.from)) return undefined;
  const expressions = listOf(select, "expressions");
  return operationIn(
    expressions.at(-1),
    (one) => ({ ...select, expressions: [...expressions.slice(0, -1), one] }),
  );
}

function operationInClause(select: Node, clause: string): Node | undefined {
  const body = own(select, clause) as Node;
  return operationIn(
    body.this,
    (expression) => ({ ...select, [clause]: { ...body, this: expression } }),
  );
}

/** The set operation at the end of an expression; `selectWith` makes the SELECT with another one in its place. */
function operationIn(
  expression: unknown,
  selectWith: (expression: Node) => Node,
): Node | undefined {
  const found = splitExpression(expression);
  if (!found) return undefined;
  // Its common table expressions are those of the whole.
  const { with: ctes, ...select } = selectWith(found.expression);
  const operation = kindOf(found.around({ select }));
  return operation && { [operation.kind]: { ...operation.body, with: ctes } };
}

/** An expression without the set operation at its end, and that operation with another query in first place. */
interface Split {
  expression: Node;
  around: (first: Node) => Node;
}

function splitExpression(node: unknown): Split | undefined {
  const found = kindOf(node);
  if (!found) return undefined;
  const { kind, body } = found;
  if (setOperations.some((one) => one === kind)) return splitSetOperation(kind, body);
  // Only what stands at the very end of the text.
  const end = ["right", "high"].find((member) => isNode(own(body, member))) ??
    (kind === "not" || kind === "neg" ? "this" : undefined);
  if (end === undefined) return undefined;
  const inner = splitExpression(own(body, end));
  return inner && { ...inner, expression: { [kind]: { ...body, [end]: inner.expression } } };
}

function splitSetOperation(kind: string, body: Node): Split | undefined {
  if (!isNode(body.left)) return undefined;
  if ("subquery" in body.left) {
    return { expression: body.left, around: (left) => ({ [kind]: { ...body, left } }) };
  }
  const inner = splitExpression(body.left);
  return inner && {
    expression: inner.expression,
    around: (first) => ({ [kind]: { ...body, left: inner.around(first) } }),
  };
}
