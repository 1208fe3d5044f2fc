import { type Dialect, parse } from "@polyglot-sql/sdk";
import { isNode, listOf, type Node, ofKind, segmentsOf, textOf } from "./ast.ts";
import { withCtes, type WriteStatement } from "./written.ts";

/** Placeholder for the tables of a MERGE in a generated query, whose parts are then replaced. */
const frameOf = (selected: "1" | "*") =>
  `SELECT ${selected} FROM s INNER JOIN t ON 1 = 1 WHERE 1 = 1 AND 1 = 1`;

/** A part of a MERGE that brings values. */
interface Clause {
  /** The columns that it fills; empty where it names none. */
  columns: string[];
  byPlace: boolean;
  /** What they are filled with; null: all columns of the source. */
  values: unknown[] | null;
  /** It sees the row that it changes, as an UPDATE does. */
  seesTarget: boolean;
  conditions: unknown[];
}

/**
 * What a MERGE writes, as queries over what it joins: one for the join, one for each clause with values.
 * Empty when none does, null when it is not understood.
 */
export function mergedBy(body: Node, dialect: string): WriteStatement[] | null {
  const whens = listOf(ofKind(body.whens, "whens"), "expressions").map((one) =>
    ofKind(one, "when")
  );
  const clauses: Clause[] = [];
  for (const when of whens) {
    const clause = clauseOf(when);
    if (clause === null) return null;
    if (clause !== undefined) clauses.push(clause);
  }
  if (clauses.length === 0) return [];
  const join = { columns: [], byPlace: false, values: [], seesTarget: true, conditions: [] };
  const written = [join, ...clauses].map((clause) => writtenOf(body, clause, dialect));
  return written.every((one) => one !== undefined) ? written : null;
}

/** Undefined for a clause that brings no values, null for one that is not understood. */
function clauseOf(when: Node | undefined): Clause | null | undefined {
  const alone = ofKind(when?.then, "var")?.this;
  if (alone === "DELETE" || alone === "DO NOTHING") return undefined;
  const [action, ...expressions] = listOf(ofKind(when?.then, "tuple"), "expressions");
  const where = expressions.flatMap((expression) => ofKind(expression, "where")?.this ?? []);
  const given = expressions.filter((expression) => !ofKind(expression, "where"));
  const conditions = [when?.condition, ...where].filter(isNode);
  const kind = ofKind(action, "var")?.this;
  const filled = kind === "UPDATE" ? setBy(given) : kind === "INSERT" ? insertedBy(given) : null;
  return filled && { ...filled, conditions };
}

type FilledClause = Omit<Clause, "conditions">;

function setBy([list, ...rest]: unknown[]): FilledClause | null {
  if (rest.length > 0) return null;
  if (ofKind(list, "star")) return allByName;
  const pairs = listOf(ofKind(list, "tuple"), "expressions").map((one) => ofKind(one, "eq"));
  const columns = pairs.flatMap((pair) => nameOf(pair?.left) ?? []);
  if (columns.length === 0 || columns.length < pairs.length) return null;
  return { columns, byPlace: true, values: pairs.map((pair) => pair!.right), seesTarget: true };
}

function insertedBy(expressions: unknown[]): FilledClause | null {
  const [first] = expressions;
  if (expressions.length === 1 && ofKind(first, "star")) return allByName;
  if (expressions.length === 1 && ofKind(first, "var")?.this === "ROW") {
    return { ...allByName, byPlace: true };
  }
  const lists = expressions.map((expression) => ofKind(expression, "tuple"));
  if (lists.length === 0 || lists.length > 2 || lists.includes(undefined)) return null;
  const [names, values] = lists.map((list) => listOf(list, "expressions"));
  if (values === undefined) {
    return { columns: [], byPlace: true, values: names!, seesTarget: false };
  }
  const columns = names!.flatMap((name) => nameOf(name) ?? []);
  if (columns.length !== values.length) return null;
  return { columns, byPlace: true, values, seesTarget: false };
}

const allByName: FilledClause = { columns: [], byPlace: false, values: null, seesTarget: false };

/** The name of a column, with or without its table before it. */
const nameOf = (node: unknown): string | undefined => textOf(ofKind(node, "column")?.name ?? node);

/** A clause as a query, over tables of its own: queries are changed before they are analysed. */
function writtenOf(body: Node, clause: Clause, dialect: string): WriteStatement | undefined {
  const { this: into, using, on, with_ } = body;
  const merge = structuredClone({ into, using, on, with_ });
  const { columns, byPlace, values, seesTarget, conditions } = structuredClone(clause);
  const [written, from] = [tableOf(merge.into), tableOf(merge.using) ?? subqueryOf(merge.using)];
  const target = ofKind(written, "table");
  const query = parse(frameOf(values === null ? "*" : "1"), dialect as Dialect).ast?.[0] as
    | Node
    | undefined;
  const select = ofKind(query, "select");
  if (!target || !from || !isNode(merge.on) || !query || !select) return undefined;
  const [join] = listOf(select, "joins") as [Node];
  (select.from as Node).expressions = [from];
  if (values?.length === 0) join.on = merge.on;
  if (values && values.length > 0) select.expressions = values;
  if (seesTarget) join.this = written;
  else select.joins = [];
  const both = ofKind((select.where_clause as Node).this, "and")!;
  if (conditions[0]) both.left = conditions[0];
  if (conditions[1]) both.right = conditions[1];
  return {
    target: segmentsOf(target, dialect),
    ...(seesTarget ? { seen: target } : {}),
    columns,
    byPlace,
    query: withCtes(query, ofKind(merge.with_, "with")),
  };
}

const subqueryOf = (node: unknown) => ofKind(node, "subquery") && (node as Node);

/** A table with its alias after its name; undefined for anything else, or with aliases for its columns. */
function tableOf(node: unknown): Node | undefined {
  const alias = ofKind(node, "alias");
  if (alias && listOf(alias, "column_aliases").length > 0) return undefined;
  const table = ofKind(alias?.this ?? node, "table");
  if (!table) return undefined;
  if (alias) table.alias = alias.alias;
  return { table };
}
