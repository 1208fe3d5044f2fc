import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anonymous } from "#contract/actor.ts";
import { entityClasses, entityTypes } from "#contract/entities.ts";
import { entitySearch } from "#services/api/features/search/entity-search.ts";
import { chosen, searchFixture } from "#services/api/features/search/testing/fixture.ts";
import { familyRoutes, Search } from "#services/api/search/search.ts";
import { type TestApi, testApi } from "#test/support/http/api.ts";
import * as seed from "#test/support/seed/seed.ts";

/** Of twelve that have the word "lake". */
const bounds = { counted: 5, ranked: 4 };
const classes = { dataset: entityClasses.DATA_SET, transformer: entityClasses.DATA_TRANSFORMER };

const refresh = "SELECT refresh_search_documents($1::bigint[])";
const rename = `
  UPDATE data_entity SET external_name = $2, external_description = NULL, type_id = $3, class_ids = ARRAY[$4::smallint]
   WHERE id = $1`;

/** A step of a plan of PostgreSQL, by the members that are looked at. */
interface Plan {
  "Relation Name"?: string;
  "Actual Loops": number;
  Plans?: Plan[];
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)];

let at: Awaited<ReturnType<typeof searchFixture>>;
let api: TestApi;
let last: Record<"named" | "within" | "job", number>;
beforeAll(async () => {
  at = await searchFixture();
  const { db } = at.database;
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) {
    ids.push(await seed.seedEntity(db, { name: `copy ${n}`, externalDescription: "of the lake" }));
  }
  await db.query(refresh, [ids]);
  // What is read first depends on where it is stored.
  const read = await db.query<{ entity_id: number }>(
    "SELECT entity_id FROM search_document WHERE entity_id = ANY($1) ORDER BY tableoid, ctid",
    [ids],
  );
  const [job, within, named] = read.slice(-3).map(({ entity_id }) => entity_id)
    .toSorted((a, b) => a - b);
  last = { job: job!, within: within!, named: named! };
  for (const [n, { entity_id }] of read.slice(0, 9).entries()) {
    await seed.seedTag(db, entity_id, n < 3 ? "wet" : "dry");
  }
  for (
    const [id, name, type, classOf] of [
      [last.job, "loader of the lake", entityTypes.JOB.id, classes.transformer],
      [last.within, "blue lake house", entityTypes.TABLE.id, classes.dataset],
      [last.named, "lake", entityTypes.TABLE.id, classes.dataset],
    ]
  ) {
    await db.query(rename, [id, name, type, classOf]);
    await db.query(refresh, [[id]]);
  }
  await seed.seedOwnership(db, last.job, "Data Team", "steward");
  api = testApi(familyRoutes(at.context, { ...entitySearch, bounds }), at.context);
});
afterAll(() => at.close());

const start = async (form: Record<string, unknown>) =>
  (await api.post("/api/search", { filters: {}, ...form })).json;
const page = async (id: string, query: string) =>
  (await api.get(`/api/search/${id}/results?${query}`)).json;
const values = async (id: string, facet: string, more = "") =>
  (await api.get(`/api/search/${id}/facet/${facet}?page=1&size=50${more}`)).json;

describe("more match than are counted", () => {
  it("says that totals and counts are minimums", async () => {
    const { total, total_is_minimum, facet_state } = await start({ query: "lake" });
    expect({ total, total_is_minimum }).toEqual({ total: 5, total_is_minimum: true });
    const datasets = facet_state.entity_classes
      .find(({ id }: { id: number }) => id === classes.dataset);
    expect(datasets).toMatchObject({ count: 6, count_is_minimum: true });
  });

  it("does not where fewer match", async () => {
    const few = await start({ query: "house" });
    expect(few).toMatchObject({ total: 1, total_is_minimum: false });
    expect(JSON.stringify(few)).not.toContain("count_is_minimum");
  });

  it("counts what a chosen class leaves, although none of those counted first is of it", async () => {
    const filters = { entity_classes: chosen(classes.transformer) };
    expect(await start({ query: "lake", filters }))
      .toMatchObject({ total: 1, total_is_minimum: false });
  });

  it("counts what the caller owns whole", async () => {
    const { db } = at.database;
    await db.query(
      "INSERT INTO user_owner (username, owner_id) SELECT 'ann', id FROM owner WHERE name = 'Data Team'",
    );
    const search = new Search(at.context, { ...entitySearch, bounds });
    const ann = { ...anonymous, name: "ann" };
    const found = JSON.parse(await search.start(ann, { query: "lake", my_objects: true }));
    expect(found).toMatchObject({ my_objects_total: 1, total_is_minimum: true });
    const job = found.facet_state.entity_classes
      .find(({ id }: { id: number }) => id === classes.transformer);
    expect(job).toMatchObject({ count: 1 });
    expect(job).not.toHaveProperty("count_is_minimum");
  });

  it("puts those first that are named so, wherever they are; later pages go on to the end", async () => {
    const { search_id: id } = await start({ query: "lake" });
    const first = await page(id, "page=1&size=4");
    expect(first.items.slice(0, 3).map((item: { id: number }) => item.id))
      .toEqual([last.named, last.job, last.within]);
    expect(first.page_info).toEqual({ total: 5, hasNext: true });
    const end = await page(id, "page=3&size=4");
    expect(end.items).toHaveLength(4);
    expect(end.page_info).toEqual({ total: 12, hasNext: false });
  });

  it("suggests those that are named so", async () => {
    const { json } = await api.get("/api/search/suggestions?query=lake");
    expect(json.slice(0, 3).map(({ id }: { id: number }) => id))
      .toEqual([last.named, last.job, last.within]);
  });

  it("offers all values of a small facet, those of the others that were counted, and any by name", async () => {
    const { search_id: id } = await start({ query: "lake" });
    const names = (found: { name: string }[]) => found.map(({ name }) => name);
    expect(await values(id, "entity_classes")).toContainEqual({
      id: classes.transformer,
      name: "DATA_TRANSFORMER",
      count: 0,
      count_is_minimum: true,
      selected: false,
    });
    expect(await values(id, "tags")).toMatchObject([
      { name: "dry", count: 3, count_is_minimum: true },
      { name: "wet", count: 3, count_is_minimum: true },
    ]);
    expect(await values(id, "tags", "&query=dr")).toEqual([
      { id: expect.any(Number), name: "dry", count: 6, selected: false },
    ]);
    expect(names(await values(id, "owners"))).toEqual([]);
    expect(names(await values(id, "owners", "&query=data"))).toEqual(["Data Team"]);
  });

  it("leaves partitions unread once enough is found", async () => {
    const [row] = await at.database.db.query<Record<"QUERY PLAN", { Plan: Plan }[]>>(
      `EXPLAIN (ANALYZE, FORMAT JSON)
       SELECT FROM search_document WHERE vector @@ to_tsquery('simple', 'lake') LIMIT ${
        bounds.counted + 1
      }`,
    );
    const scans = stepsOf(row!["QUERY PLAN"][0]!.Plan)
      .filter((plan) => plan["Relation Name"]?.startsWith("search_document_"));
    expect(scans).toHaveLength(8);
    expect(scans.some((plan) => plan["Actual Loops"] > 0)).toBe(true);
    expect(scans.some((plan) => plan["Actual Loops"] === 0)).toBe(true);
  });

  it("counts and lists without a text alike", async () => {
    const { search_id: id, total, total_is_minimum } = await start({});
    expect({ total, total_is_minimum }).toEqual({ total: 5, total_is_minimum: true });
    expect((await page(id, "page=1&size=2")).page_info).toEqual({ total: 5, hasNext: true });
  });
});
