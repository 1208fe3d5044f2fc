import { isNode, listOf, type Node } from "../parse/ast.ts";
import { setOperationAtEnd } from "../parse/set-operation-at-end.ts";
import { Columns, isKnown, type Relation, unknownColumns } from "./columns.ts";
import type { QueryReader } from "./context.ts";
import type { Ctes } from "./cte-names.ts";
import { openCtes } from "./ctes.ts";
import { Expressions } from "./expression.ts";
import { From } from "./from.ts";
import { nameOf } from "./names.ts";
import { isQuery, kindOf, setOperations } from "./node-kinds.ts";
import { Names, openScope, type Scope } from "./scope.ts";
import { readSelect } from "./select.ts";
import { setOperation } from "./set-operations.ts";
import type { Tables } from "./tables.ts";
import { union, Uses } from "./value.ts";

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
    return {
      columns: new Columns([unknownColumns({ gap: { reason: "statement", at: undefined } })]),
      uses: new Uses(),
    };
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
