import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import { namesOfPath, wordsOfNames } from "./search-vector.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const next = seeded(20_261_126);
const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
const some = (pieces: readonly string[], max: number) =>
  Array.from({ length: 1 + Math.floor(next() * max) }, () => one(pieces)).join("");

it("takes those words from names that PostgreSQL takes", async () => {
  const pieces = [
    "order",
    "Items",
    "_",
    "x",
    "2024",
    "7",
    "123",
    "99999",
    ".",
    "b2b",
    "a".repeat(30),
  ];
  for (let n = 0; n < 2_000; n++) {
    const name = some(pieces, 6);
    const rows = await t.db.query<{ stem: string }>("SELECT search_stems($1) AS stem", [[name]]);
    const theirs = rows.map(({ stem }) => stem).sort();
    expect([name, [...wordsOfNames([name])].sort()]).toEqual([name, theirs]);
  }
});

it("leaves out digits at the end, keys, and what is too short", () => {
  const names = ["mylicenses12345", "sales2024", "crm360accounts", "a1b2c3d4e5", "id", "4711"];
  expect([...wordsOfNames(names)].sort()).toEqual([
    "crm360accounts",
    "mylicenses",
    "sales",
    "sales2024",
  ]);
});

it("takes those names from CATRNs that PostgreSQL takes", async () => {
  const catrns = [
    "//pg/host/h/databases/wh/schemas/hr/tables/t",
    "//s/a",
    "//s",
    "/x",
    "plain",
    "//",
  ];
  for (let n = 0; n < 300; n++) catrns.push(`//${some(["a", "bc", "/", "d.e", "\\\\"], 9)}`);
  for (const catrn of catrns) {
    const [row] = await t.db.query<{ path: string }>(
      "SELECT coalesce(search_path($1), '') AS path",
      [catrn],
    );
    expect([catrn, namesOfPath(catrn)]).toEqual([catrn, row!.path]);
  }
  expect(namesOfPath("//pg/host/h/tables/t")).toBe("pg h");
  expect(namesOfPath("//pg/host/%20/tables/t")).toBeNull();
});
