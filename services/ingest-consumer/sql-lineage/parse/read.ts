import { type Dialect, parse } from "@polyglot-sql/sdk";
import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { SqlEdge, SqlJob, SqlReading } from "../model.ts";
import { edgesOf } from "./analyze.ts";
import { dialectOf } from "./dialect.ts";
import { writtenBy } from "./statements.ts";
import { tablesOf } from "./tables.ts";

/**
 * Which columns of its inputs SQL makes the columns of its outputs from. Tables that are no inputs are ignored, and
 * what it writes that is no output. A query alone fills the only output.
 */
export function readSql({ sql, inputs, outputs }: SqlJob): SqlReading {
  const dialect = dialectOf(outputs, inputs);
  const parsed = parse(sql, dialect as Dialect);
  if (!parsed.success || !Array.isArray(parsed.ast)) return { refused: "syntax" };
  const written = writtenBy(parsed.ast, dialect);
  if (!written || written.length === 0) return { refused: "statement" };
  const [from, into] = [tablesOf(inputs), tablesOf(outputs)];
  const edges: SqlEdge[] = [];
  let filled = false;
  for (const one of written) {
    const alone = outputs.length === 1 ? outputs[0] : undefined;
    const output = one.target === null ? alone : into.find(one.target);
    if (!output) continue;
    filled = true;
    edges.push(...edgesOf(one, output, from, dialect) ?? []);
    if (edges.length > maxColumnEdges) return { refused: "too_many" };
  }
  if (!filled) return { refused: "target" };
  return edges.length > 0 ? { edges } : { refused: "columns" };
}
