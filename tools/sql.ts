import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import type { SqlDataset, SqlLineageResult } from "#services/ingest-consumer/sql-lineage/model.ts";
import { readScript } from "#services/ingest-consumer/sql-lineage/parse/read.ts";
import type { NamedDatasets } from "#services/ingest-consumer/sql-lineage/resolve/tables.ts";
import { runCommand } from "./command.ts";
import { table } from "./table.ts";

const usage =
  `Usage: npm run sql -- explain <file> [--dialect snowflake] [--structure orders=id,total …]

Prints which columns each column comes from, and what could not be traced, with line and column of the text.
Tables have the columns that --structure gives them; those of others are unknown.

Exit codes: 0 all was traced, 1 some was not, 2 wrong use.`;

export interface Explain {
  file: string;
  dialect: string;
  structures: Map<string, string[]>;
}

/** Parses the arguments; null when they are wrong. */
export function parseExplain(args: string[]): Explain | null {
  try {
    const { values, positionals: [command, file, ...more] } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        dialect: { type: "string", default: "generic" },
        structure: { type: "string", multiple: true, default: [] },
      },
    });
    if (command !== "explain" || file === undefined || more.length > 0) return null;
    const structures = values.structure.map((one): [string, string[]] => {
      const [name = "", columns = ""] = one.split("=");
      return [name.toLowerCase(), columns.split(",").filter((column) => column !== "")];
    });
    return { file, dialect: values.dialect, structures: new Map(structures) };
  } catch {
    return null;
  }
}

/** Every table that SQL names, with the columns that are given for it. */
class NamedTables implements NamedDatasets {
  readonly all = new Map<string, SqlDataset>();

  constructor(
    private readonly structures: Map<string, string[]>,
    private readonly first: number,
  ) {}

  find(parts: string[]): SqlDataset | undefined {
    const name = parts.join(".");
    const key = name.toLowerCase();
    let dataset = this.all.get(key);
    if (!dataset) {
      const fields = this.structures.get(key) ?? this.structures.get(parts.at(-1)!.toLowerCase());
      dataset = {
        id: this.first + this.all.size,
        catrn: `//sql/${name}`,
        name,
        fields: fields ?? [],
      };
      this.all.set(key, dataset);
    }
    return dataset;
  }

  has = ({ id }: SqlDataset): boolean => [...this.all.values()].some((one) => one.id === id);
}

/** What is read from SQL, as text. */
export function explain(sql: string, { dialect, structures }: Omit<Explain, "file">): string {
  const inputs = new NamedTables(structures, 1);
  const query: SqlDataset = { id: 0, catrn: "//sql/query", name: "(query)", fields: [] };
  const outputs = new NamedTables(structures, 1_000_000);
  const reading = readScript(sql, dialect, { inputs, outputs, only: query });
  const names = new Map([query, ...inputs.all.values(), ...outputs.all.values()].map((one) => [
    one.id,
    one.name!,
  ]));
  return [edgesText(reading, names), gapsText(reading, names)].filter((text) => text !== "").join(
    "\n",
  );
}

function edgesText(reading: SqlLineageResult, names: Map<number, string>): string {
  if (!("edges" in reading)) return `Nothing was read: ${reading.refused}\n`;
  return table(reading.edges.map(({ source, target, kind, subtype }) => ({
    from: `${names.get(source.dataset)}.${source.path}`,
    to: `${names.get(target.dataset)}${target.path === undefined ? "" : `.${target.path}`}`,
    kind,
    subtype: subtype ?? "",
  })));
}

function gapsText({ gaps = [] }: SqlLineageResult, names: Map<number, string>): string {
  if (gaps.length === 0) return "";
  return table(gaps.map(({ dataset, column, reason, line, position }) => ({
    "not traced": dataset === undefined ? "(statement)" : `${names.get(dataset)}.${column ?? "?"}`,
    reason,
    at: line === undefined ? "" : `${line}:${position}`,
  })));
}

function main(args: string[]): Promise<number> {
  const request = parseExplain(args);
  if (!request) {
    console.error(usage);
    return Promise.resolve(2);
  }
  const text = explain(readFileSync(request.file, "utf8"), request);
  process.stdout.write(text);
  return Promise.resolve(text.includes("not traced") || text.startsWith("Nothing") ? 1 : 0);
}

if (import.meta.main) await runCommand(main);
