import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepMetadataFields } from "./jobs.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const field = async (name: string, origin: "INTERNAL" | "EXTERNAL") =>
  (await t.db.query<{ id: number }>(
    "INSERT INTO metadata_field (name, type, origin) VALUES ($1, 'STRING', $2) RETURNING id",
    [name, origin],
  ))[0]!.id;
const left = async () =>
  (await t.db.query<{ name: string }>("SELECT name FROM metadata_field ORDER BY id"))
    .map(({ name }) => name);

test("fields of people go once nothing has a value of them; those in use, or about to be, stay", async () => {
  await field("unused", "INTERNAL");
  await field("of collectors", "EXTERNAL");
  const used = await field("used", "INTERNAL");
  const taken = await field("taken", "INTERNAL");
  await field("unused too", "INTERNAL");
  const value = "INSERT INTO metadata_value VALUES ($1, $2, 'v')";
  await t.db.query(value, [await seedEntity(t.db), used]);
  await t.db.transaction(async (tx) => {
    await tx.query("SELECT FROM metadata_field WHERE id = $1 FOR KEY SHARE", [taken]);
    expect([await sweepMetadataFields(t.db, 1), await sweepMetadataFields(t.db, 9)]).toEqual([
      1,
      1,
    ]);
    await tx.query(value, [await seedEntity(tx), taken]);
  });
  expect(await sweepMetadataFields(t.db, 9)).toBe(0);
  expect(await left()).toEqual(["of collectors", "used", "taken"]);
});
