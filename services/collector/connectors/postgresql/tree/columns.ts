import { type Node, nodesOf, numberOf, parseTree, type Value } from "./parse.ts";
import { ColumnTracer, type Origins, type Scope } from "./scope.ts";

/** A column of a relation, by `pg_class.oid` and `pg_attribute.attnum`; 0 stands for a whole row. */
export interface Origin {
  relation: number;
  number: number;
}

export interface ViewColumn {
  /** Number of the view's column, from 1. */
  number: number;
  origins: Origin[];
  /** The value is that of the one origin, unchanged. */
  isIdentity: boolean;
}

/** Where the columns of a view come from. */
export interface ViewColumns {
  columns: ViewColumn[];
  /** Columns that decide which rows there are: of conditions, joins and groups. */
  conditions: Origin[];
}

/** Fields of a query whose columns decide which rows there are. */
const conditions = ["jointree", "havingQual"];

/** Reads `pg_rewrite.ev_action` of a view; null if it is not understood. */
export function viewColumns(tree: string): ViewColumns | null {
  try {
    const [query] = nodesOf(parseTree(tree));
    return query?.tag === "QUERY" ? read(query) : null;
  } catch {
    return null;
  }
}

function read(query: Node): ViewColumns {
  const tracer = new ColumnTracer();
  const scope: Scope = { query, outer: null };
  const targets = new Map(
    nodesOf(query.fields.get("targetList")).map((one) => [numberOf(one, "resno"), one]),
  );
  const columns = [...tracer.outputs(scope)].map(([number, origins]): ViewColumn => ({
    number,
    origins: listed(origins),
    isIdentity: origins.size === 1 && isVariable(targets.get(number)?.fields.get("expr")),
  }));
  const deciding: Origins = new Set();
  for (const field of conditions) tracer.trace(query.fields.get(field), scope, deciding);
  return { columns, conditions: listed(deciding) };
}

const isVariable = (value: Value | undefined): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && value.tag === "VAR";

/** In a fixed order, so that the same view gives the same item. */
function listed(origins: Origins): Origin[] {
  return [...origins].map((text) => {
    const [relation = 0, number = 0] = text.split(".").map(Number);
    return { relation, number };
  }).sort((a, b) => a.relation - b.relation || a.number - b.number);
}
