import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Config } from "#platform/config/schema.ts";
import { openLineageNameRoutes } from "#services/api/features/openlineage/names/routes.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { testApi } from "#test/support/http/api.ts";
import { seedEntity, seedSource } from "#test/support/seed/seed.ts";

const source = "//postgresql/host/db.example/databases/shop";
const orders = `${source}/schemas/public/tables/orders`;

let test: TestDatabase;
let id: number;
beforeAll(async () => {
  test = await testDatabase();
  const sourceId = await seedSource(test.db, { catrn: source });
  id = await seedEntity(test.db, { catrn: orders, sourceId });
});
afterAll(() => test.drop());

const resolve = (query: Record<string, string>) =>
  testApi(openLineageNameRoutes({ db: test.db, config: Config.parse({}) }))
    .get(`/api/openlineage/names?${new URLSearchParams(query)}`);
const postgres = "postgres://db.example:5432";

describe("getOpenLineageName", () => {
  it("tells the entity that a collector holds", async () => {
    const { status, json } = await resolve({ namespace: postgres, name: "shop.public.orders" });
    expect([status, json]).toEqual([200, {
      catrn: orders,
      entity_id: id,
      rule: "postgresql",
      match: "exact",
      aliases: [],
      source_catrn: source,
      warnings: [],
    }]);
  });

  it.each([
    ["another spelling", "shop.PUBLIC.Orders", orders, "loose", []],
    ["no database", "public.orders", orders, "loose", []],
    [
      "what nobody holds",
      "shop.public.none",
      `${source}/schemas/public/tables/none`,
      "template",
      [],
    ],
    [
      "no name of its kind",
      "shop.public.",
      "//openlineage/namespaces/postgres:%2F%2Fdb.example:5432/datasets/shop.public.",
      "generic",
      ["malformed"],
    ],
  ])("tells of %s", async (_, name, catrn, match, warnings) => {
    const { json } = await resolve({ namespace: postgres, name });
    expect(json).toMatchObject({ catrn, match, warnings });
  });

  it.each([["namespace", { name: "x" }], ["name", { namespace: "x" }]])(
    "answers 400 without %s",
    async (field, query) => {
      const { status, json } = await resolve(query as Record<string, string>);
      expect([status, json.details[0].field]).toEqual([400, field]);
    },
  );
});
