import type { SqlDataset, SqlLineageResult } from "#services/ingest-consumer/sql-lineage/model.ts";
import { readSql } from "#services/ingest-consumer/sql-lineage/parse/read.ts";

export interface SqlCase {
  sql: string;
  /** The first segment of the names of all tables. */
  system?: string;
  /** Tables that are read, with their columns; without any their structure is unknown. */
  reads?: Record<string, string>;
  writes?: Record<string, string>;
}

/** What is read from the SQL of a case. */
export function readCase({ sql, system = "postgresql", reads = {}, writes = { t: "" } }: SqlCase) {
  const names = new Map<number, string>();
  const datasets = (tables: Record<string, string>): SqlDataset[] =>
    Object.entries(tables).map(([name, columns]) => {
      const id = [...names].find(([, known]) => known === name)?.[0] ?? names.size + 1;
      names.set(id, name);
      const fields = columns.split(" ").filter((field) => field !== "");
      return {
        id,
        catrn: `//${system}/host/db/databases/w/schemas/s/tables/${name}`,
        name,
        fields,
      };
    });
  const reading = readSql({ sql, inputs: datasets(reads), outputs: datasets(writes) });
  return { reading, names };
}

/** The edges of a case as `source.column > column`; with several outputs, `> output.column`. */
export function directEdges(given: SqlCase): string[] {
  return edges(given, "DIRECT");
}

/** Columns that have a say in the output as a whole, with how: `source.column FILTER`. */
export function indirectSources(given: SqlCase): string[] {
  const { reading, names } = readCase(given);
  const found = edgesOf(reading).filter(({ kind }) => kind === "INDIRECT");
  return found.map(({ source, subtype }) =>
    `${names.get(source.dataset)}.${source.path} ${subtype}`
  ).sort();
}

/** As `directEdges`, with what is made of each source. */
export function subtypes(given: SqlCase): string[] {
  const { reading, names } = readCase(given);
  return edgesOf(reading).filter(({ kind }) => kind === "DIRECT")
    .map(({ source, target, subtype }) =>
      `${names.get(source.dataset)}.${source.path} > ${target.path} ${subtype}`.toLowerCase()
    ).sort();
}

function edges(given: SqlCase, wanted: "DIRECT" | "INDIRECT"): string[] {
  const { reading, names } = readCase(given);
  const several = Object.keys(given.writes ?? {}).length > 1;
  const found = edgesOf(reading).filter(({ kind }) => kind === wanted);
  const texts = found.map(({ source, target }) => {
    const into = several ? `${names.get(target.dataset)}.${target.path}` : `${target.path}`;
    return `${names.get(source.dataset)}.${source.path} > ${into}`.toLowerCase();
  });
  return [...new Set(texts)].sort();
}

const edgesOf = (reading: SqlLineageResult) => "edges" in reading ? reading.edges : [];
