import { resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { declaredStatements } from "#metadata/postgres/statement.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { columnsOf, type ReturnedColumn } from "#test/support/statements/returned-columns.ts";
import {
  declarationsIn,
  type DeclaredColumn,
  type DeclaredStatement,
  statementFiles,
} from "#test/support/statements/row-types.ts";

let test: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  test = await testDatabase();
  client = new pg.Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.drop();
});

it("every statement can be prepared, and returns the columns that the type of its rows names", async () => {
  const files = await statementFiles();
  for (const file of files) await import(resolve(file));
  const problems: string[] = [];
  let typed = 0;
  const declarations = declarationsIn(files);
  for (const [name, { text }] of declaredStatements()) {
    const declared = declarationOf(name, declarations);
    // Tests declare statements too, in the same process.
    if (!declared) continue;
    if (declared.columns) typed++;
    const found = await columnsOf(client, text).catch((error: Error) => error.message);
    const wrong = typeof found === "string" ? [found] : differences(declared.columns, found);
    problems.push(...wrong.map((one) => `${declared.file}, ${name}: ${one}`));
  }
  expect(problems).toEqual([]);
  expect(typed).toBeGreaterThan(550);
});

/** The declaration of a statement: the one with its name, else the one with the longest fixed part of it. */
function declarationOf(
  name: string,
  declarations: DeclaredStatement[],
): DeclaredStatement | undefined {
  const fits = declarations.filter(({ name: pattern }) => regexOf(pattern).test(name));
  return fits.sort((a, b) => fixedPart(b) - fixedPart(a))[0];
}

const regexOf = (pattern: string) => new RegExp(`^${pattern.replaceAll("*", ".+")}$`);
const fixedPart = ({ name }: DeclaredStatement) => name.replaceAll("*", "").length;

function differences(
  columns: Map<string, DeclaredColumn> | null,
  found: ReturnedColumn[],
): string[] {
  if (!columns) return [];
  const given = new Map(found.map(({ name, kind }) => [name, kind]));
  const missing = [...columns].filter(([name, { isOptional }]) => !isOptional && !given.has(name));
  const different = [...columns].filter(([name, { kind }]) =>
    given.has(name) && !isOfKind(kind, given.get(name)!)
  );
  return [
    ...missing.map(([name]) => `no column ${name}`),
    ...[...given.keys()].filter((name) => !columns.has(name)).map((name) =>
      `${name} is not in the type`
    ),
    ...different.map(([name, { kind }]) =>
      `${name} is ${kind} in the type, and ${given.get(name)} in PostgreSQL`
    ),
  ];
}

function isOfKind(declared: string, found: string): boolean {
  if (declared === found || declared === "any") return true;
  return found === "json" && !["Date", "Uint8Array"].includes(declared);
}
