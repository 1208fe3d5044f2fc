import { own } from "#kit/own.ts";
import { kindOf, setOperations } from "../resolve/node-kinds.ts";
import { isNode, listOf, type Node } from "./ast.ts";

/** An expression without the set operation at its end, and that operation with another query in first place. */
interface Split {
  expression: Node;
  around: (first: Node) => Node;
}

/**
 * The set operation of which a SELECT is the first query, where the parser made it part of the last expression: it reads
 * `SELECT a FROM t WHERE a > (SELECT b FROM u) UNION SELECT c FROM v` as `a > ((SELECT b FROM u) UNION SELECT c FROM v)`.
 * No system has a set operation there without parentheses. Undefined for any other SELECT.
 */
export function setOperationAtEnd(select: Node): Node | undefined {
  for (const clause of ["qualify", "having"]) {
    if (isNode(own(select, clause))) return splitClause(select, clause);
  }
  if (isNode(select.group_by)) return undefined;
  if (isNode(select.where_clause)) return splitClause(select, "where_clause");
  const joins = listOf(select, "joins");
  const last = joins.at(-1);
  if (isNode(last)) {
    return split(last.on, (on) => ({ ...select, joins: [...joins.slice(0, -1), { ...last, on }] }));
  }
  if (isNode(select.from)) return undefined;
  const expressions = listOf(select, "expressions");
  return split(
    expressions.at(-1),
    (one) => ({ ...select, expressions: [...expressions.slice(0, -1), one] }),
  );
}

function splitClause(select: Node, clause: string): Node | undefined {
  const body = own(select, clause) as Node;
  return split(body.this, (expression) => ({ ...select, [clause]: { ...body, this: expression } }));
}

function split(expression: unknown, selectWith: (expression: Node) => Node): Node | undefined {
  const found = splitExpression(expression);
  if (!found) return undefined;
  // Its common table expressions are those of the whole.
  const { with: ctes, ...select } = selectWith(found.expression);
  const operation = kindOf(found.around({ select }));
  return operation && { [operation.kind]: { ...operation.body, with: ctes } };
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
