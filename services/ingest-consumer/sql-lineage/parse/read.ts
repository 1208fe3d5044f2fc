import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import { segmentsOf } from "#platform/naming/model.ts";
import type { SqlDataset, SqlEdge, SqlGap, SqlJob, SqlLineageResult } from "../model.ts";
import { levels, type SourceColumn, type Value } from "../resolve/columns.ts";
import { isColumnName, type NamedDatasets, namedDatasets } from "../resolve/tables.ts";
import { statementOf } from "../statements/head.ts";
import { dividedByInsert } from "../statements/insert.ts";
import { type OutputFilling, Script } from "../statements/script.ts";
import { lineAndColumn } from "../text/source.ts";
import { statementsOf, tokensOf } from "../text/tokens.ts";

/** Maximum number of gaps reported for one text. */
export const maxGaps = 1_000;

/**
 * Which columns of its inputs SQL makes the columns of its outputs from. Tables that are no inputs are ignored, and
 * what it writes that is no output. A query alone fills the only output.
 */
export function readSql(job: SqlJob): SqlLineageResult {
  const { sql, inputs, outputs } = job;
  const only = outputs.length === 1 ? outputs[0] : undefined;
  const datasets = { inputs: namedDatasets(inputs), outputs: namedDatasets(outputs), only };
  return readScript(sql, job.dialect ?? dialectOf(outputs, inputs), datasets);
}

/** Between what SQL moves data. */
export interface Datasets {
  inputs: NamedDatasets;
  outputs: NamedDatasets;
  /** What a query alone fills. */
  only: SqlDataset | undefined;
}

/** As `readSql`, of datasets that are found by their names. */
export function readScript(sql: string, dialect: string, datasets: Datasets): SqlLineageResult {
  try {
    return readingOf(sql, dialect, datasets);
  } catch (error) {
    // What is nested too deeply ends the stack.
    if (error instanceof RangeError) return { refused: "too_many" };
    throw error;
  }
}

function readingOf(sql: string, dialect: string, datasets: Datasets): SqlLineageResult {
  const script = new Script(sql, dialect, datasets.inputs, datasets.outputs, datasets.only);
  const tokens = tokensOf(sql, dialect);
  for (const statement of statementsOf(tokens, sql, dialect).flatMap(dividedByInsert)) {
    script.take(statementOf(statement, sql, dialect), statement[0]!.start);
  }
  script.end();
  const edges = new Edges(sql);
  for (const filling of script.fillings) {
    edges.add(filling);
    if (edges.list.length > maxColumnEdges) return { refused: "too_many" };
  }
  return edges.reading(script);
}

/** Edges and gaps of what was filled. */
class Edges {
  readonly list: SqlEdge[] = [];
  readonly #gaps: SqlGap[] = [];
  readonly #known = new Map<number, Set<string>>();
  #dropped = 0;

  constructor(private readonly sql: string) {}

  add({ output, filled, uses }: OutputFilling): void {
    for (const { name, value } of filled) {
      const isThere = name !== null && isColumnName(name) && this.#has(output, name);
      if (isThere) this.#addValue(output, name, value);
      else if (name !== null) this.#drop(output, name, value);
      if (value.gap) this.#gap(output, name, value.gap.reason, value.gap.at);
    }
    const target = { dataset: output.id, path: undefined };
    for (const { source, kind } of uses.all()) {
      this.list.push({ source: placeOf(source), target, kind: "INDIRECT", subtype: kind });
    }
  }

  reading({ gaps, writes, fillings }: Script): SqlLineageResult {
    const all = [...gaps, ...this.#gaps];
    const more = {
      ...all.length > 0 ? { gaps: all.slice(0, maxGaps) } : {},
      ...this.#dropped > 0 ? { dropped: this.#dropped } : {},
    };
    if (this.list.length > 0) return { edges: this.list, ...more };
    const isUnread = (reason: string) => gaps.some((gap) => gap.reason === reason);
    if (fillings.length > 0) return { refused: "columns", ...more };
    if (writes || isUnread("target")) return { refused: "target", ...more };
    return { refused: isUnread("syntax") ? "syntax" : "statement", ...more };
  }

  #addValue(output: SqlDataset, name: string, { origins }: Value): void {
    const target = { dataset: output.id, path: name };
    for (const [source, level] of origins) {
      this.list.push({ source: placeOf(source), target, kind: "DIRECT", subtype: levels[level] });
    }
  }

  /** The structure of a dataset lacks a column: the SQL or the structure is old. */
  #drop(output: SqlDataset, name: string, { origins }: Value): void {
    if (origins.size === 0) return;
    this.#dropped += origins.size;
    this.#gap(output, null, isColumnName(name) ? "structure" : "unnamed", undefined);
  }

  #gap(
    output: SqlDataset,
    name: string | null,
    reason: SqlGap["reason"],
    at: number | undefined,
  ): void {
    const place = at === undefined ? undefined : lineAndColumn(this.sql, at);
    this.#gaps.push({
      dataset: output.id,
      column: name !== null && isColumnName(name) ? name : undefined,
      reason,
      line: place?.line,
      position: place?.column,
    });
  }

  #has(output: SqlDataset, name: string): boolean {
    if (output.fields.length === 0) return true;
    let known = this.#known.get(output.id);
    if (!known) this.#known.set(output.id, known = new Set(output.fields.map(folded)));
    return known.has(folded(name));
  }
}

const placeOf = ({ dataset, path }: SourceColumn) => ({ dataset: dataset.id, path });
const folded = (name: string) => name.toLowerCase();

/** First segments of CATRNs, and the dialect of SQL that is spoken there. */
const dialects: [system: RegExp, dialect: string][] = [
  [/^(postgres(ql)?|greenplum|alloydb)$/, "postgresql"],
  [/^(mysql|mariadb)$/, "mysql"],
  [/^(mssql|sqlserver|azuresql|synapse)$/, "tsql"],
  [/^(databricks|unity)/, "databricks"],
  [/^bigquery/, "bigquery"],
  [/^cockroach/, "cockroachdb"],
  [/^(spark|iceberg|delta)/, "spark"],
  [
    /^(athena|clickhouse|doris|dremio|drill|druid|duckdb|exasol|hive|materialize|oracle|presto|redshift|risingwave|singlestore|snowflake|sqlite|starrocks|teradata|tidb|trino)$/,
    "",
  ],
];

/** The dialect of SQL: that of what it writes, else of what it reads; the generic one if neither is known. */
export function dialectOf(outputs: SqlDataset[], inputs: SqlDataset[]): string {
  for (const { catrn } of [...outputs, ...inputs]) {
    const system = (segmentsOf(catrn)[0] ?? "").toLowerCase();
    const found = dialects.find(([form]) => form.test(system));
    if (found) return found[1] || system;
  }
  return "generic";
}
