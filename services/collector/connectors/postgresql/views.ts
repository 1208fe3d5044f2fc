import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { Item } from "../../connector.ts";
import { relationCatrn } from "./names.ts";
import type { Column, NamedColumn, ViewDefinition, ViewInput } from "./queries.ts";
import type { Origin, ViewColumns } from "./tree.ts";

type Transformer = NonNullable<Item["data_transformer"]>;
type Lineage = NonNullable<Transformer["column_lineage"]>;
type Source = Lineage[number]["sources"][number];

/** Longest SQL of a view that is shown. */
export const maxSql = 100_000;

/** What is known of a view. */
export interface ViewFacts {
  catrn: string;
  columns: Column[];
  definition: ViewDefinition;
  inputs: ViewInput[];
  /** Where its columns come from; null when that is not understood. */
  traced: ViewColumns | null;
}

/** Columns of relations by `oid.number`. */
export type ColumnIndex = ReadonlyMap<string, NamedColumn>;

/** What a view reads, and how its columns are made: exact, since PostgreSQL itself has resolved every name. */
export function viewTransformer(source: string, view: ViewFacts, index: ColumnIndex): Transformer {
  const inputs = view.inputs.map((input) => relationCatrn(source, input));
  const lineage = view.traced && lineageOf(source, view, view.traced, index);
  return {
    inputs: [...new Set(inputs)],
    outputs: [],
    sql: view.definition.sql.slice(0, maxSql),
    // Without a declaration the consumer may read the SQL (`lineage.columns.from-sql`).
    ...(lineage ? { column_lineage: lineage } : {}),
  };
}

/** Null when there is more than a batch may carry: half a lineage would look like a whole one. */
function lineageOf(
  source: string,
  { catrn, columns }: ViewFacts,
  { columns: traced, conditions }: ViewColumns,
  index: ColumnIndex,
): Lineage | null {
  const names = new Map(columns.map(({ number, name }) => [number, name]));
  const direct = traced.flatMap(({ number, origins, isIdentity }): Lineage => {
    const field = names.get(number);
    const subtype = isIdentity ? "IDENTITY" : "TRANSFORMATION";
    const sources = sourcesOf(source, origins, index, { type: "DIRECT", subtype });
    return field === undefined || sources.length === 0
      ? []
      : [{ target: { dataset_catrn: catrn, field }, sources }];
  });
  const deciding = sourcesOf(source, conditions, index, { type: "INDIRECT", subtype: "FILTER" });
  const lineage = deciding.length === 0
    ? direct
    : [...direct, { target: { dataset_catrn: catrn }, sources: deciding }];
  const edges = lineage.reduce((sum, { sources }) => sum + sources.length, 0);
  return edges <= maxColumnEdges ? lineage : null;
}

function sourcesOf(
  source: string,
  origins: Origin[],
  index: ColumnIndex,
  how: Pick<Source, "type" | "subtype">,
): Source[] {
  return origins.flatMap(({ relation, number }): Source[] => {
    const column = index.get(`${relation}.${number}`) ?? index.get(`${relation}.1`);
    if (!column) return [];
    const { schema, table, kind } = column;
    const dataset_catrn = relationCatrn(source, { schema, name: table, kind });
    return [{ dataset_catrn, ...(number === 0 ? {} : { field: column.name }), ...how }];
  });
}
