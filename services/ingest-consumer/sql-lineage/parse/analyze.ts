import {
  analyzeQuery,
  type ColumnReferenceFact,
  type ColumnUseFact,
  type Dialect,
  generate,
  type QueryAnalysis,
} from "@polyglot-sql/sdk";
import { maxColumnBytes } from "#contract/ingestion/limits.ts";
import type { ColumnRef, SqlDataset, SqlEdge } from "../model.ts";
import type { Node } from "./ast.ts";
import { isUnnamed, prepare, type PreparedQuery } from "./prepare.ts";
import type { WriteStatement } from "./written.ts";
import type { Tables } from "./tables.ts";

/** How a source of a value is classified, by the operation. */
const transformed: Record<string, string> = {
  direct: "IDENTITY",
  aggregation: "AGGREGATION",
};

/** How a source has a say in which rows there are. */
const uses: Record<ColumnUseFact["context"], string> = {
  join: "JOIN",
  filter: "FILTER",
  group: "GROUP_BY",
  having: "FILTER",
  qualify: "FILTER",
  window_partition: "WINDOW",
  window_order: "WINDOW",
  window_frame: "WINDOW",
  order: "SORT",
  aggregate_order: "SORT",
  set_operation_filter: "FILTER",
};

/** The edges from the columns of inputs into a dataset that a query fills; undefined when it cannot be analysed. */
export function edgesOf(
  written: WriteStatement,
  output: SqlDataset,
  inputs: Tables,
  dialect: string,
): SqlEdge[] | undefined {
  const prepared = prepare(written, output, inputs, dialect);
  if (!prepared.complete) return undefined;
  const analysis = analysisOf(written.query, prepared, dialect as Dialect);
  if (!analysis) return undefined;
  const sourceOf = (reference: ColumnReferenceFact): ColumnRef | undefined => {
    const dataset = prepared.datasets.get((reference.table ?? "").toLowerCase());
    if (
      !dataset || !inputs.has(dataset) || reference.confidence !== "resolved" ||
      !fits(reference.column)
    ) {
      return undefined;
    }
    return { dataset: dataset.id, path: reference.column };
  };
  const named = targetsOf(written, output, analysis);
  const direct = analysis.projections.flatMap((projection, at): SqlEdge[] => {
    const path = named[at];
    if (path === undefined || !fits(path)) return [];
    const target = { dataset: output.id, path };
    const subtype = transformed[projection.transformKind] ?? "TRANSFORMATION";
    return projection.upstream.flatMap((reference) => {
      const source = sourceOf(reference);
      return source ? [{ source, target, kind: "DIRECT", subtype }] : [];
    });
  });
  const whole = { dataset: output.id, path: undefined };
  const indirect = (analysis.columnUses ?? []).flatMap(({ context, references }) =>
    references.flatMap((reference): SqlEdge[] => {
      const source = sourceOf(reference);
      return source ? [{ source, target: whole, kind: "INDIRECT", subtype: uses[context] }] : [];
    })
  );
  return [...direct, ...indirect];
}

function analysisOf(
  query: Node,
  { datasets }: PreparedQuery,
  dialect: Dialect,
): QueryAnalysis | undefined {
  const [text] = generate([query], dialect).sql ?? [];
  if (text === undefined) return undefined;
  const tables = [...datasets].filter(([, { fields }]) => fields.length > 0).map((
    [name, { fields }],
  ) => ({ name, columns: fields.map((field) => ({ name: field, type: "text" })) }));
  const schema = tables.length > 0 ? { schema: { tables } } : {};
  return analyzeQuery(text, { dialect, ...schema }).analysis;
}

/**
 * The columns that the projections of a query fill, by position; undefined if unknown: the statement names
 * them, or the structure of the output, or they have a name. Behind a star that stands for unknown columns places
 * are ignored.
 */
function targetsOf(
  { columns, byPlace }: WriteStatement,
  { fields }: SqlDataset,
  { projections }: QueryAnalysis,
): (string | undefined)[] {
  const star = projections.findIndex(({ isStar }) => isStar);
  const placed = star < 0 ? projections.length : star;
  const known = star < 0 && fields.length >= projections.length;
  const asMany = star < 0 && fields.length === projections.length;
  return projections.map(({ name, isStar }, at) => {
    if (isStar) return undefined;
    if (columns.length > 0) return at < placed ? columns[at] : undefined;
    if (byPlace && known) return fields[at];
    if (byPlace && star >= 0 && fields.length > 0) return at < placed ? fields[at] : undefined;
    if (name === undefined || name === null || isUnnamed(name)) {
      return asMany ? fields[at] : undefined;
    }
    return name;
  });
}

/** Whether a name can be that of a column. */
function fits(name: string): boolean {
  return name !== "" && !name.includes("\0") && name.isWellFormed() &&
    new TextEncoder().encode(name).length <= maxColumnBytes;
}
