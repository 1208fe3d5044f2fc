import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { migrate, SchemaError, schemaFiles } from "#metadata/schema/migrate.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { release } from "#test/support/engines/release.ts";

let test: TestDatabase;
beforeEach(async () => {
  test = await testDatabase();
  await test.db.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
});
afterEach(() => test.drop());

const apply = (folder: URL) => migrate(test.url, silentLogger, folder);
const answer = async () => (await test.db.query("SELECT answer() AS a"))[0]!.a;
const tables = async () =>
  (await test.db.query(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  )).map(({ name }) => name);
const ledger = ["schema_function", "schema_migration"];

const answers = (text: string) =>
  `CREATE OR REPLACE FUNCTION answer() RETURNS text LANGUAGE sql AS $$SELECT '${text}'$$;`;
const first = { "0001_a.sql": "CREATE TABLE a (id int);" };
const second = { "0005_b.sql": "CREATE TABLE b (id int);" };
const now = { "functions/x.sql": answers("now") };
const next = { "functions/x.sql": answers("next") };

describe("migrate", () => {
  it("is safe when several processes start at once", async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(test.url, silentLogger)));
    const rows = await test.db.query("SELECT version FROM schema_migration ORDER BY version");
    const { numbered, functions } = schemaFiles();
    expect(rows.map((r) => r.version)).toEqual(numbered.map((m) => m.version));
    const retained = await test.db.query(
      "SELECT name, checksum FROM schema_function ORDER BY name",
    );
    expect(retained).toEqual(functions.map(({ name, checksum }) => ({ name, checksum })));
  });

  it("serves a newer schema that is only expanded, and refuses a breaking one", async () => {
    await migrate(test.url, silentLogger);
    const insert = `INSERT INTO schema_migration (version, name, checksum, breaking)
                    VALUES ($1, 'x', 'x', $2)`;
    await test.db.query(insert, [9998, false]);
    await migrate(test.url, silentLogger);
    await test.db.query(insert, [9999, true]);
    await expect(migrate(test.url, silentLogger)).rejects.toThrow(/version 9999/);
  });

  it("applies what is missing, and writes functions again when their file changes", async () => {
    await apply(release({ ...first, ...now }));
    expect(await answer()).toBe("now");
    await apply(release({ ...first, ...next }));
    expect(await answer()).toBe("next");
    await apply(release({ ...first, ...second, ...next }));
    expect(await tables()).toEqual(["a", "b", ...ledger]);
  });

  it("writes functions that are made of rows again when a numbered file was applied", async () => {
    const made = `DO $do$ BEGIN EXECUTE format('CREATE OR REPLACE FUNCTION answer() RETURNS text
      LANGUAGE sql AS %L', (SELECT format('SELECT %L', count(*)::text) FROM a)); END $do$;`;
    await apply(release({ ...first, "functions/x.sql": made }));
    await apply(release({
      ...first,
      "0002_row.sql": "INSERT INTO a VALUES (1);",
      "functions/x.sql": made,
    }));
    expect(await answer()).toBe("1");
  });

  it("lets an older release start, which never writes its own functions back", async () => {
    await apply(release({ ...first, ...second, ...next }));
    await apply(release({ ...first, ...now }));
    expect(await answer()).toBe("next");
    expect(await test.db.query("SELECT checksum FROM schema_function")).toEqual([
      { checksum: schemaFiles(release({ ...first, ...next })).functions[0]!.checksum },
    ]);
  });
});

describe("migrate refuses", () => {
  it("an applied file that was changed, by name and with what to do", async () => {
    await apply(release(first));
    const changed = apply(release({ "0001_a.sql": "CREATE TABLE a (id bigint);" }));
    await expect(changed).rejects.toThrow(SchemaError);
    await expect(changed).rejects.toThrow(
      /^0001_a\.sql of the schema is not the file .*bring that one back .* a new number/,
    );
  });

  it("but not for other ends of lines", async () => {
    await apply(release({ "0001_a.sql": "CREATE TABLE a (id int);\n" }));
    await apply(release({ "0001_a.sql": "CREATE TABLE a (id int);\r\n" }));
    expect(await tables()).toContain("a");
  });

  it("a number below the newest that is applied, and applies nothing", async () => {
    await apply(release({ ...first, ...second }));
    const late = { "0003_late.sql": "CREATE TABLE late ();", "0006_c.sql": "CREATE TABLE c ();" };
    await expect(apply(release({ ...first, ...second, ...late }))).rejects.toThrow(
      /^0003_late\.sql .* after 0005_b\.sql was applied: give it a number above 5$/,
    );
    expect(await tables()).toEqual(["a", "b", ...ledger]);
  });

  it("a body that is wrong, and applies nothing; functions may stand in any order", async () => {
    const upper =
      `CREATE OR REPLACE FUNCTION answer() RETURNS text LANGUAGE sql AS 'SELECT one()';`;
    const lower = `CREATE OR REPLACE FUNCTION one() RETURNS text LANGUAGE sql AS $$SELECT '1'$$;`;
    const wrong = apply(release({ ...first, "functions/a.sql": upper }));
    await expect(wrong).rejects.toThrow(
      "A function of the schema is wrong: answer(): function one() does not exist",
    );
    expect(await tables()).toEqual([]);
    await apply(release({ ...first, "functions/a.sql": upper, "functions/b.sql": lower }));
    expect(await answer()).toBe("1");
  });

  it("a file that fails, by name, and applies nothing", async () => {
    const failing = release({ ...first, "0002_b.sql": "CREATE TABLE b (id nonsense);" });
    await expect(apply(failing)).rejects.toThrow("0002_b.sql of the schema failed");
    expect(await tables()).toEqual([]);
  });
});
