import { afterAll, beforeAll, expect, it } from "vitest";
import { texts } from "#metadata/postgres/array-parameters.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { storedEntities } from "./stored-entities.ts";
import { storedRows } from "./resolve.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase(1)));
afterAll(() => t.drop());

const catrn = (n: number) => `//plans/items/${n}`;

const add = (from: number, to: number) =>
  t.db.query(
    `INSERT INTO data_entity (catrn, hollow, excluded_from_search)
     SELECT '//plans/items/' || n, true, true FROM generate_series($1::int, $2::int) n`,
    [from, to],
  );

/** Rows of entities that the connection has read in full scans. */
async function scanned(): Promise<number> {
  await t.db.query("SELECT pg_stat_force_next_flush()");
  const [row] = await t.db.query<{ read: number }>(
    "SELECT seq_tup_read AS read FROM pg_stat_user_tables WHERE relname = 'data_entity'",
  );
  return Number(row!.read);
}

it("entities of a batch are found by their index although batches came while there were few", async () => {
  await add(1, 100);
  const wanted = Array.from({ length: 50 }, (_, n) => catrn(n + 1));
  const find = async () => (await storedEntities(t.db, storedRows, [texts(wanted)])).size;
  for (let n = 0; n < 12; n++) expect(await find()).toBe(50);
  await add(101, 20_000);
  const before = await scanned();
  expect(await find()).toBe(50);
  expect(await scanned() - before).toBeLessThan(20_000);
});
