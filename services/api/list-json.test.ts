import { afterAll, beforeAll, expect, it } from "vitest";
import { itemsJson, listJson, listOfFound, type ListSpec } from "#services/api/list-json.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase(1)));
afterAll(() => t.drop());

const numbers: ListSpec = {
  each: "json_build_object('n', n)",
  by: "n",
  from: "(SELECT n FROM generate_series(1, 5) n ORDER BY n LIMIT $1 OFFSET $2) page",
  total: "5",
  window: ["$1", "$2"],
};
const listOf = async (spec: ListSpec, values: unknown[]) =>
  (await t.db.query<{ list: unknown }>(`SELECT ${listJson(spec)} AS list`, values))[0]!.list;

it.each([
  ["the first page", 2, 0, [1, 2], true],
  ["a page in the midst", 2, 2, [3, 4], true],
  ["the last page", 2, 4, [5], false],
  ["a page that ends with the last one", 5, 0, [1, 2, 3, 4, 5], false],
  ["a page beyond the last one", 2, 6, [], false],
  ["the largest page of the largest number", 1_000, 2_147_482_647_000, [], false],
])("%s says whether there is a next one", async (_, limit, offset, items, hasNext) => {
  expect(await listOf(numbers, [limit, offset])).toEqual({
    items: items.map((n) => ({ n })),
    page_info: { total: 5, hasNext },
  });
});

it("a list without pages has no next one, and members of its own", async () => {
  const { window: _, ...whole } = { ...numbers, from: "generate_series(1, 2) n" };
  const list = await listOf({ ...whole, total: "2", more: ["'odd', 1", "'even', 1"] }, []);
  expect(list).toEqual({
    items: [{ n: 1 }, { n: 2 }],
    odd: 1,
    even: 1,
    page_info: { total: 2, hasNext: false },
  });
});

it("what was found is counted whole and shown by the page", async () => {
  const statement = `WITH found AS (SELECT n, -n AS rank FROM generate_series(1, 5) n)
    ${listOfFound({ each: "n", by: "rank", window: ["$1", "$2"] })}`;
  const [row] = await t.db.query<{ json: string }>(statement, [2, 1]);
  expect(JSON.parse(row!.json)).toEqual({
    items: [4, 3],
    page_info: { total: 5, hasNext: true },
  });
});

it("items alone are an array, also when there are none", async () => {
  const none = itemsJson({ each: "n", by: "n", from: "generate_series(2, 1) n" });
  expect(await t.db.query(`SELECT ${none} AS items`)).toEqual([{ items: [] }]);
});
