import type { SqlDataset } from "../model.ts";
import {
  aliased,
  identifier,
  isNode,
  listOf,
  type Node,
  ofKind,
  segmentsOf,
  textOf,
} from "./ast.ts";
import { writeOutStars } from "./stars.ts";
import { firstSelect } from "./statements.ts";
import type { Tables } from "./tables.ts";
import type { WriteStatement } from "./written.ts";

/** A query whose tables are datasets under generated names. */
export interface PreparedQuery {
  /** The datasets that it reads, by those names; among them the one that it writes where it sees that. */
  datasets: Map<string, SqlDataset>;
  /** Whether the columns of each star are known, or it has no exceptions. */
  complete: boolean;
}

/** Prefixes of generated names: those of tables, and of selected expressions without a name. */
const tablePrefix = "own__table_";
const unnamedPrefix = "own__column_";

/**
 * Renames the input tables of a query to generated names, so that the parser finds their columns whatever the
 * letter case and however many parts a name has; and gives the expressions that it selects a name where they have
 * none, since the parser would take that of a neighbour. Changes the query.
 */
export function prepare(
  { query, seen }: WriteStatement,
  output: SqlDataset,
  inputs: Tables,
  dialect: string,
): PreparedQuery {
  const datasets = new Map<string, SqlDataset>();
  for (const { table, ctes } of tablesIn(query, new Set())) {
    const segments = segmentsOf(table, dialect);
    const isCte = segments.length === 1 && ctes.has(segments[0]!.toLowerCase());
    if (isCte && table !== seen) continue;
    const dataset = table === seen ? output : inputs.find(segments);
    if (!dataset) continue;
    const given = `${tablePrefix}${dataset.id}`;
    datasets.set(given, dataset);
    if (!isNode(table.alias)) table.alias = identifier(segments.at(-1)!);
    Object.assign(table, { name: identifier(given), schema: null, catalog: null });
  }
  const complete = writeOutStars(query, datasets);
  nameSelected(query);
  return { datasets, complete };
}

/** Whether a selected expression has a name by `prepare` alone. */
export const isUnnamed = (name: string) => name.startsWith(unnamedPrefix);

interface TableReference {
  table: Node;
  /** Names of the common table expressions that it may stand for, lower-case. */
  ctes: ReadonlySet<string>;
}

/** Every table below. Deep trees end in a RangeError, as in the parser. */
function* tablesIn(value: unknown, ctes: ReadonlySet<string>): Generator<TableReference> {
  if (Array.isArray(value)) { for (const one of value) yield* tablesIn(one, ctes); }
  if (!isNode(value)) return;
  const table = ofKind(value, "table");
  // A column's member of that name is an identifier.
  if (table && isNode(table.name)) yield { table, ctes };
  const own = ofKind(value, "with");
  const seen = own ? yield* tablesOfCtes(own, ctes) : ctes;
  for (const [member, one] of Object.entries(value)) {
    if (!own || member !== "with") yield* tablesIn(one, seen);
  }
}

/** Each is made of those before it, and of itself where it says so; returns what is seen after them. */
function* tablesOfCtes(
  own: Node,
  ctes: ReadonlySet<string>,
): Generator<TableReference, ReadonlySet<string>> {
  const seen = new Set(ctes);
  for (const cte of listOf(own, "ctes")) {
    const name = isNode(cte) ? textOf(cte.alias)?.toLowerCase() : undefined;
    if (name !== undefined && own.recursive === true) seen.add(name);
    yield* tablesIn(cte, new Set(seen));
    if (name !== undefined) seen.add(name);
  }
  return seen;
}

function nameSelected(query: Node): void {
  const select = firstSelect(query);
  if (!select) return;
  select.expressions = listOf(select, "expressions").map((expression, at) => {
    const named = ["alias", "column", "star"].some((kind) => ofKind(expression, kind));
    if (named) return expression;
    const field = textOf(ofKind(expression, "dot")?.field);
    return aliased(expression, field ?? `${unnamedPrefix}${at}`);
  });
}
