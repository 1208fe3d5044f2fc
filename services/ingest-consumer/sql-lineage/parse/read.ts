import { type Dialect, parse } from "@polyglot-sql/sdk";
import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { ColumnRef, SqlDataset, SqlEdge, SqlJob, SqlLineageResult } from "../model.ts";
import { edgesOf } from "./analyze.ts";
import { dialectOf } from "./dialect.ts";
import { writtenBy } from "./statements.ts";
import { tablesOf } from "./tables.ts";

/**
 * Which columns of its inputs SQL makes the columns of its outputs from. Tables that are no inputs are ignored, and
 * what it writes that is no output. A query alone fills the only output.
 */
export function readSql({ sql, inputs, outputs }: SqlJob): SqlLineageResult {
  const dialect = dialectOf(outputs, inputs);
  const parsed = parse(sql, dialect as Dialect);
  if (!parsed.success || !Array.isArray(parsed.ast)) return { refused: "syntax" };
  const written = writtenBy(parsed.ast, dialect);
  if (!written || written.length === 0) return { refused: "statement" };
  const [from, into] = [tablesOf(inputs), tablesOf(outputs)];
  const all: SqlEdge[] = [];
  let filled = false;
  for (const one of written) {
    const alone = outputs.length === 1 ? outputs[0] : undefined;
    const output = one.target === null ? alone : into.find(one.target);
    if (!output) continue;
    filled = true;
    all.push(...edgesOf(one, output, from, dialect) ?? []);
    if (all.length > maxColumnEdges) return { refused: "too_many" };
  }
  if (!filled) return { refused: "target" };
  const edges = all.filter(betweenKnownColumns([...inputs, ...outputs]));
  const dropped = all.length - edges.length;
  if (edges.length === 0) return { refused: "columns", ...dropped > 0 ? { dropped } : {} };
  return { edges, ...dropped > 0 ? { dropped } : {} };
}

/** Whether an edge leads from and to columns that there are; any may be one of a dataset without a structure. */
function betweenKnownColumns(datasets: SqlDataset[]): (edge: SqlEdge) => boolean {
  const known = new Map(datasets.map(({ id, fields }) => [id, new Set(fields.map(folded))]));
  const isKnown = ({ dataset, path }: ColumnRef) => {
    const fields = known.get(dataset)!;
    if (path === undefined || fields.size === 0) return true;
    return fields.has(folded(path)) || fields.has(folded(path.split(".", 1)[0]!));
  };
  return ({ source, target }) => isKnown(source) && isKnown(target);
}

const folded = (name: string) => name.toLowerCase();
