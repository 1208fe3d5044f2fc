// `npm run schema` rewrites docs/schema.txt; a test compares the file with the schema that is created.
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "#kit/log.ts";
import { Database, type Queryable } from "#metadata/postgres/database.ts";
import { startEmbedded } from "#metadata/postgres/embedded.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { ensureDatabase } from "#metadata/postgres/provision.ts";
import { functions, otherLines, rowsOf, tableLines } from "./schema.queries.ts";

const head =
  `# The schema as the files of metadata/schema/ make it on an empty database, for review. Written by
# npm run schema. A function stands here with what callers see and the SHA-256 of its body.`;

/** Path of the document in the repository. */
export const schemaDocument = "docs/schema.txt";

/** Functions whose body depends on the server (its collations), and so differs between servers. */
const madeThere = new Set(["search_lower"]);

interface FunctionRow extends Record<string, unknown> {
  name: string;
  signature: string;
  attributes: string;
  body: string;
}

/** Describes tables, views, sequences, functions and initial rows as readable text. */
export async function describeSchema(db: Queryable): Promise<string> {
  const tables = await db.query<{ name: string; place: number; line: string }>(tableLines);
  const others = await db.query<{ line: string }>(otherLines);
  const sections = [
    [head],
    ...Map.groupBy(tables, ({ name }) => name).values()
      .map((rows) => rows.map(({ line }) => line)),
    others.map(({ line }) => line),
    (await db.query<FunctionRow>(functions)).map(functionLine),
    ...await rowsFromTheStart(db, new Set(tables.map(({ name }) => name))),
  ];
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join(
    "\n\n",
  ) +
    "\n";
}

function functionLine({ name, signature, attributes, body }: FunctionRow): string {
  const digest = createHash("sha256").update(body.trim()).digest("hex").slice(0, 16);
  return `function ${signature}\n  ${attributes} ${madeThere.has(name) ? "made there" : digest}`;
}

async function rowsFromTheStart(db: Queryable, tables: Set<string>): Promise<string[][]> {
  const sections: string[][] = [];
  for (const name of tables) {
    if (name.startsWith("schema_")) continue;
    const rows = await db.query<{ line: string }>(rowsOf(name));
    if (rows.length > 0) sections.push([`rows of ${name}`, ...rows.map(({ line }) => `  ${line}`)]);
  }
  return sections;
}

/** The description of this release's schema, created in a temporary PostgreSQL. */
async function describeRelease(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-schema-"));
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({ dataDir, log: silentLogger, settings: { fsync: "off" } });
  const url = await ensureDatabase(server.url, "schema");
  await migrate(url, silentLogger);
  const options = { max: 1, statementTimeoutMs: 30_000, applicationName: "schema" };
  const db = new Database({ url, ...options });
  try {
    return await describeSchema(db);
  } finally {
    await db.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  writeFileSync(schemaDocument, await describeRelease());
  console.log(`written ${schemaDocument}`);
}
