import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** The schema of this release. */
export const schemaFolder = new URL("./", import.meta.url);

/** Tables, indexes, constraints and rows: applied once, in order, and never edited afterwards. */
export interface NumberedFile {
  version: number;
  name: string;
  sql: string;
  checksum: string;
  /** Its first line is `-- breaking`: the previous release cannot run on the resulting schema. */
  breaking: boolean;
}

/** Functions, views and triggers of one area: applied again whenever the file changes. */
export interface FunctionFile {
  name: string;
  sql: string;
  checksum: string;
}

export interface SchemaFiles {
  /** In order; never empty. */
  numbered: NumberedFile[];
  functions: FunctionFile[];
}

/** The files of a release; throws when one is misnamed, or two have the same number. */
export function schemaFiles(folder = schemaFolder): SchemaFiles {
  const numbered = read(folder).map((file) => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file.name)?.[1];
    if (!number) throw new Error(`${file.name} of the schema must be called NNNN_<what>.sql`);
    return { ...file, version: Number(number), breaking: /^-- breaking\b/.test(file.sql) };
  });
  if (numbered.length === 0) throw new Error(`${folder.pathname} holds no numbered file`);
  const twice = numbered.find((file, at) => file.version === numbered[at - 1]?.version);
  if (twice) throw new Error(`${twice.name} has the number of another file of the schema`);
  return { numbered, functions: read(folder, "functions/") };
}

function read(folder: URL, within = ""): FunctionFile[] {
  const names = readdirSync(new URL(within, folder)).filter((name) => name.endsWith(".sql")).sort();
  return names.map((file) => {
    const name = within + file;
    // A checkout may have converted the line ends.
    const sql = readFileSync(new URL(name, folder), "utf8").replaceAll("\r\n", "\n");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}
