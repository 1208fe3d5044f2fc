import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { releaseAfter } from "#test/support/engines/release.ts";
import { describeSchema, schemaDocument } from "./schema.ts";

let test: TestDatabase;
beforeAll(async () => void (test = await testDatabase()));
afterAll(() => test.drop());

it("the schema is the one of docs/schema.txt (`npm run schema` writes it; review the change)", async () => {
  expect(await describeSchema(test.db)).toBe(readFileSync(schemaDocument, "utf8"));
});

it.each([
  ["a column", "ALTER TABLE tag ADD COLUMN more integer DEFAULT 7", "  more integer default 7"],
  ["a default", "ALTER TABLE tag ALTER COLUMN important SET DEFAULT true", "default true"],
  ["an index", "CREATE INDEX added ON tag (important)", "CREATE INDEX added"],
  ["a constraint", "ALTER TABLE tag ADD CHECK (name <> '')", "constraint tag_name_check CHECK"],
  ["a view", "CREATE VIEW tags AS SELECT name FROM tag", "view tags"],
  ["a sequence", "CREATE SEQUENCE turns", "sequence turns bigint"],
  ["a storage parameter", "ALTER TABLE tag SET (fillfactor = 70)", "with (fillfactor=70)"],
  ["a grant", "GRANT SELECT ON tag TO PUBLIC", "grants {"],
  ["a comment", "COMMENT ON COLUMN tag.name IS 'said'", "-- said"],
  ["a row", "INSERT INTO entity_class VALUES (99, 'ADDED')", "  (99,ADDED)"],
  [
    "a trigger",
    "CREATE TRIGGER added AFTER UPDATE ON tag FOR EACH ROW EXECUTE FUNCTION queue_search_refresh()",
    "CREATE TRIGGER added",
  ],
  [
    "a function's volatility",
    "ALTER FUNCTION status_name(smallint) VOLATILE",
    "returns text sql volatile",
  ],
])("it tells of %s", async (_, statement, expected) => {
  const before = await describeSchema(test.db);
  const lines = new Set(before.split("\n"));
  await test.db.transaction(async (tx) => {
    await tx.query(statement);
    const added = (await describeSchema(tx)).split("\n").filter((line) => !lines.has(line));
    expect(added.join("\n")).toContain(expected);
    throw new Error("undone");
  }).catch((error) => expect(error.message).toBe("undone"));
  expect(await describeSchema(test.db)).toBe(before);
});

it("it tells of a function's body", async () => {
  const other = await testDatabase();
  try {
    const before = (await describeSchema(other.db)).split("\n");
    const folder = releaseAfter({
      "functions/people.sql": (sql) => sql.replace("'associated_user',", "'more',"),
    });
    await migrate(other.url, silentLogger, folder);
    const added = (await describeSchema(other.db)).split("\n").filter((l) => !before.includes(l));
    expect(added).toEqual([
      expect.stringMatching(/^ {2}returns TABLE\(shown json\) sql stable .* [0-9a-f]{16}$/),
    ]);
  } finally {
    await other.drop();
  }
});
