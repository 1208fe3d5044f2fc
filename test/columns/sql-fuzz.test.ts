import { afterAll, beforeAll, expect, it } from "vitest";
import type { SqlDataset } from "#services/ingest-consumer/sql-lineage/model.ts";
import { readSql } from "#services/ingest-consumer/sql-lineage/parse/read.ts";
import { type Generated, sourceTables, SqlGenerator } from "#test/columns/sql-generator.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { sized } from "#test/support/size.ts";

const inputsOf = (withStructures: boolean): SqlDataset[] =>
  Object.entries(sourceTables).map(([name, fields], at) => ({
    id: at + 1,
    catrn: `//postgresql/tables/${name}`,
    name,
    fields: withStructures ? fields : [],
  }));

/** DIRECT edges as `north.a > t0`. */
function edgesOf({ sql, target }: Generated, withStructures: boolean): string[] {
  const inputs = inputsOf(withStructures);
  const reading = readSql({ sql, inputs, outputs: [target] });
  if (!("edges" in reading)) return [];
  const names = new Map(inputs.map(({ id, name }) => [id, name]));
  return reading.edges.filter(({ kind }) => kind === "DIRECT").map(({ source, target }) =>
    `${names.get(source.dataset)}.${source.path} > ${target.path}`.toLowerCase()
  ).sort();
}

const wantedOf = ({ columns }: Generated) =>
  columns.flatMap(({ name, origins }) => [...origins].map((one) => `${one} > ${name}`)).sort();

it("reads generated statements exactly with structures, and without never falsely", () => {
  const generator = new SqlGenerator(4_711, false);
  for (let i = 0; i < sized(300, 20_000); i++) {
    const statement = generator.statement();
    const wanted = wantedOf(statement);
    expect([statement.sql, edgesOf(statement, true)]).toEqual([statement.sql, wanted]);
    const wrong = edgesOf(statement, false).filter((edge) => !wanted.includes(edge));
    expect([statement.sql, wrong]).toEqual([statement.sql, []]);
  }
});

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

/** What the columns of a query hold, each as the sorted text of its rows. */
async function valuesOf({ query, columns }: Generated, changed: string): Promise<string[]> {
  const tables = Object.entries(sourceTables).map(([table, fields], t) => {
    // One row each: joins of joins would have millions otherwise.
    const values = fields.map((field, f) =>
      (t + 1) * 1_000 + f * 10 + (changed === `${table}.${field}` ? 500 : 0)
    );
    return `${table} (${fields.join(", ")}) AS (VALUES (${values.join(", ")}))`;
  });
  const names = columns.map(({ name }) => name).join(", ");
  const lists = columns.map(({ name }) =>
    `array_agg(${name}::text ORDER BY ${name}::text)::text AS ${name}`
  );
  const text = `WITH ${tables.join(", ")} SELECT ${
    lists.join(", ")
  } FROM (${query}) AS made (${names})`;
  return await database.db.transaction(async (tx) => {
    const [row] = await tx.query<Record<string, string>>(text);
    return columns.map(({ name }) => row![name]!);
  });
}

it("PostgreSQL changes no column that no edge leads to", async () => {
  const generator = new SqlGenerator(42, true);
  for (let i = 0; i < sized(10, 300); i++) {
    const statement = generator.statement();
    const edges = edgesOf(statement, true);
    const before = await valuesOf(statement, "");
    for (const [table, fields] of Object.entries(sourceTables)) {
      for (const field of fields) {
        const after = await valuesOf(statement, `${table}.${field}`);
        const moved = statement.columns.filter((_, at) => before[at] !== after[at]);
        const unread = moved.filter(({ name }) => !edges.includes(`${table}.${field} > ${name}`));
        expect([statement.sql, `${table}.${field}`, unread]).toEqual([
          statement.sql,
          `${table}.${field}`,
          [],
        ]);
      }
    }
  }
}, 60_000);
