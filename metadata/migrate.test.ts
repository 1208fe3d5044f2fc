import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { migrate, migrations } from "#metadata/migrate.ts";
import { type TestDatabase, testDatabase } from "#test/support/database.ts";

it("migrations have numbers of their own", () => {
  const numbers = migrations().map(({ version }) => version);
  expect(numbers).toEqual([...new Set(numbers)]);
});

describe("migrate", () => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await testDatabase()));
  afterAll(() => test.drop());

  it("is safe when several processes start at once", async () => {
    await test.db.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await Promise.all(Array.from({ length: 4 }, () => migrate(test.url, silentLogger)));
    const rows = await test.db.query("SELECT version FROM schema_migration ORDER BY version");
    expect(rows.map((r) => r.version)).toEqual(migrations().map((m) => m.version));
  });

  it("serves a newer schema that is only expanded, and refuses a breaking one", async () => {
    const insert = "INSERT INTO schema_migration (version, name, breaking) VALUES ($1, 'x', $2)";
    await test.db.query(insert, [9998, false]);
    await migrate(test.url, silentLogger);
    await test.db.query(insert, [9999, true]);
    await expect(migrate(test.url, silentLogger)).rejects.toThrow(/version 9999/);
  });

  it("makes digests of tokens and writes anew what held them", async () => {
    await test.db.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    const before = migrations().filter(({ version }) => version < 62);
    for (const { sql } of before) await test.db.query(sql);
    await test.db.query(
      "CREATE TABLE schema_migration (version integer PRIMARY KEY, name text, breaking boolean)",
    );
    for (const { version, name } of before) {
      await test.db.query("INSERT INTO schema_migration VALUES ($1, $2, false)", [version, name]);
    }
    await test.db.query("INSERT INTO token (value) VALUES ('first token ABCD'), ('ä')");
    const file = () => test.db.query("SELECT pg_relation_filenode('token') AS id");
    const old = await file();
    await migrate(test.url, silentLogger);
    expect(
      await test.db.query(
        `SELECT hint, digest = sha256(convert_to(value, 'UTF8')) AS same
           FROM token JOIN (VALUES (1, 'first token ABCD'), (2, 'ä')) v (id, value) USING (id)
          ORDER BY id`,
      ),
    ).toEqual([{ hint: "ABCD", same: true }, { hint: "ä", same: true }]);
    expect(await file()).not.toEqual(old);
  });
});
