import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchFixture } from "#services/api/features/search/testing/fixture.ts";
import * as seed from "#test/support/seed/seed.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
const ids: Record<string, number> = {};
const source = "//snowflake/account/acme/databases/Depot";
const catrnOf = (schema: string, table: string) => `${source}/schemas/${schema}/tables/${table}`;

beforeAll(async () => {
  at = await searchFixture();
  const { db } = at.database;
  const sourceId = await seed.seedSource(db, { name: "Main depot", catrn: source });
  const table = async (schema: string, name: string) =>
    ids[`${schema}.${name}`] = await seed.seedEntity(db, {
      sourceId,
      name,
      catrn: catrnOf(schema, encodeURIComponent(name)),
    });
  for (const schema of ["retail", "people", "Büro"]) await table(schema, "staff");
  await table("public", "people_staff");
  await table("people", "staff_archive");
  for (let n = 0; n < 6; n++) await table("public", `people_staff_${n}`);
  ids.topic = await seed.seedEntity(db, {
    catrn: "//kafka/host/k1/clusters/prod/topics/bills.v1",
    name: "bills.v1",
  });
  await db.query("SELECT refresh_search_documents(array(SELECT id FROM data_entity))");
});
afterAll(() => at.close());

const suggested = async (query: string) =>
  (await at.api.get(`/api/search/suggestions?query=${encodeURIComponent(query)}`)).json
    .map(({ id }: { id: number }) => id);

describe("a name with what it is in", () => {
  it.each([
    ["people.staff", "people.staff"],
    ["People.STAFF", "people.staff"],
    ['"people"."staff"', "people.staff"],
    ["[people].[staff]", "people.staff"],
    ["people/staff", "people.staff"],
    ["depot.people.staff", "people.staff"],
    ["main depot.people.staff", "people.staff"],
    ["retail.staff", "retail.staff"],
    ["buro.staff", "Büro.staff"],
    ["acme.depot.retail.staff", "retail.staff"],
    ["public.people_staff", "public.people_staff"],
    ["people.staff_arch", "people.staff_archive"],
    ["prod.bills.v1", "topic"],
    ["bills.v1", "topic"],
    [catrnOf("retail", "staff"), "retail.staff"],
    [` ${catrnOf("people", "staff")}/ `, "people.staff"],
  ])("finds its entity first, in results and suggestions: %s", async (typed, name) => {
    expect((await at.found(await at.begin({ query: typed })))[0]).toBe(ids[name]);
    expect((await suggested(typed))[0]).toBe(ids[name]);
  });

  it("finds nothing that is in something else", async () => {
    for (const typed of ["nowhere.staff", "finance.people.staff"]) {
      expect([typed, await at.found(await at.begin({ query: typed }))]).toEqual([typed, []]);
    }
    expect(await at.found(await at.begin({ query: "retail.staff" }))).toEqual([
      ids["retail.staff"],
    ]);
  });

  it("does not find by what kinds of things a CATRN names", async () => {
    for (const typed of ["schemas", "tables"]) {
      expect([typed, await at.found(await at.begin({ query: typed }))]).toEqual([typed, []]);
    }
  });
});
