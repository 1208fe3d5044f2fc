import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosen, searchFixture } from "#services/api/features/search/testing/fixture.ts";
import { maxWeighed } from "#services/api/search/results.queries.ts";
import { seedUsage } from "#test/support/seed/seed-usage.ts";
import * as seed from "#test/support/seed/seed.ts";

let at: Awaited<ReturnType<typeof searchFixture>>;
beforeAll(async () => void (at = await searchFixture()));
afterAll(() => at.close());

const refresh = () =>
  at.database.db.query("SELECT refresh_search_documents(array(SELECT id FROM data_entity))");
const suggested = async (typed: string) =>
  (await at.api.get(`/api/search/suggestions?query=${encodeURIComponent(typed)}`)).json
    .map(({ external_name: name }: { external_name: string }) => name);

describe("what comes first", () => {
  beforeAll(async () => {
    const { db } = at.database;
    const description = { externalDescription: "fct fct fct" };
    for (const name of ["told_of", "build_fct_orders", "fct.fct_fct", "fct_orders"]) {
      await seed.seedEntity(db, { name, ...(name === "told_of" && description) });
    }
    await seed.seedEntity(db, { name: "FCT", externalDescription: "the whole name" });
    await refresh();
  });

  it("names that begin with what is typed, before names and texts that have it in them", async () => {
    const names = await suggested("fct");
    expect(names[0]).toBe("FCT");
    expect(names.slice(1, 3).sort()).toEqual(["fct.fct_fct", "fct_orders"]);
    expect(names.slice(3)).toEqual(["build_fct_orders", "told_of"]);
    expect(await suggested("fct_or")).toEqual(["fct_orders", "build_fct_orders"]);
    expect(await suggested(" Fct Orders ")).toEqual(["fct_orders", "build_fct_orders"]);
  });

  it("of tables with the same name, the one that is read more", async () => {
    const { db } = at.database;
    const ids = [];
    for (const _ of [1, 2, 3]) ids.push(await seed.seedEntity(db, { name: "twin_ledger" }));
    await seedUsage(db, ids[1]!, 12);
    await seedUsage(db, ids[2]!, 9_000);
    await refresh();
    const { json } = await at.api.get("/api/search/suggestions?query=twin_ledger");
    expect(json.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[1], ids[0]]);
    const search = await at.begin({ query: "twin" });
    const results = await at.api.get(`/api/search/${search}/results?page=1&size=9`);
    expect(results.json.items.map(({ id }: { id: number }) => id)).toEqual([
      ids[2],
      ids[1],
      ids[0],
    ]);
  });

  it("the exact name, whatever marks are typed with it; whole words before beginnings of words", async () => {
    const { db } = at.database;
    const description = { externalDescription: "copy of zk, zk by day; zk" };
    for (const name of ["zk_111_a", "zk_11_a", "zk_g", "Zk-", "zk", "zk_archive"]) {
      await seed.seedEntity(db, { name, ...(name === "zk_g" && description) });
    }
    await seed.seedEntity(db, { name: "other", externalDescription: "zkin of zkout" });
    await seed.seedEntity(db, { name: "another", externalDescription: "of zk" });
    await refresh();
    const found = async (query: string) => {
      const { json } = await at.api.get(
        `/api/search/${await at.begin({ query })}/results?page=1&size=9`,
      );
      return json.items.map((item: { external_name: string }) => item.external_name);
    };
    for (const typed of ["zk", '"zk"', "zk?", "zk:*", "(ZK)", "“zk”", "zk,", "'zk'"]) {
      expect([typed, (await found(typed)).slice(0, 2)]).toEqual([typed, ["zk", "Zk-"]]);
      expect([typed, (await suggested(typed)).slice(0, 2)]).toEqual([typed, ["zk", "Zk-"]]);
    }
    expect((await found("zk-"))[0]).toBe("Zk-");
    expect(await found("zk_11")).toEqual(["zk_11_a", "zk_111_a"]);
    expect(await suggested("zk_11")).toEqual(["zk_11_a", "zk_111_a"]);
    const all = await found("zk");
    expect(all.indexOf("another")).toBeLessThan(all.indexOf("other"));
  });

  it("nothing is suggested where nothing is typed, however it is narrowed", async () => {
    for (const narrowed of ["manually_created=true", "entity_class_id=1", "query=%20"]) {
      const answer = await at.api.get(`/api/search/suggestions?${narrowed}`);
      expect([narrowed, answer.status, answer.json]).toEqual([narrowed, 200, []]);
    }
  });

  it("in results as in suggestions", async () => {
    const id = await at.begin({ query: "fct_or" });
    const { json } = await at.api.get(`/api/search/${id}/results?page=1&size=10`);
    expect(json.items.map((item: { external_name: string }) => item.external_name))
      .toEqual(["fct_orders", "build_fct_orders"]);
  });
});

it("pages beyond those that are weighed follow on, each entity once, under an exact total", async () => {
  const { db } = at.database;
  const many = maxWeighed + 25;
  await db.query(
    `INSERT INTO data_entity (catrn, external_name, type_id, class_ids)
     SELECT '//many/' || n, CASE WHEN n % 2 = 0 THEN 'of_plenty_' ELSE 'plenty_' END || n, 1, '{1}'
       FROM generate_series(1, $1::int) n`,
    [many],
  );
  await refresh();
  const id = await at.begin({ query: "plenty" });
  const names: string[] = [];
  for (let page = 1; page <= 12; page++) {
    const { json } = await at.api.get(`/api/search/${id}/results?page=${page}&size=90`);
    expect(json.page_info).toEqual({ total: many, hasNext: page * 90 < many });
    names.push(...json.items.map((item: { external_name: string }) => item.external_name));
  }
  expect(new Set(names).size).toBe(many);
  const begin = names.map((name) => name.startsWith("plenty"));
  expect(begin.lastIndexOf(true)).toBe(begin.indexOf(false) - 1);
});

it("suggestions are the first of the results, whether or not enough names begin with the text", async () => {
  for (
    const query of ["plenty", "plen", "plenty_10", "plenty_1024", "of_plenty_2", "fct", "fct_or"]
  ) {
    const id = await at.begin({ query });
    const { json } = await at.api.get(`/api/search/${id}/results?page=1&size=10`);
    const names = json.items.map((item: { external_name: string }) => item.external_name);
    expect([query, await suggested(query)]).toEqual([query, names]);
  }
});

describe("what a search narrows and counts by", () => {
  it("follows the entity at once, although its words stay", async () => {
    const { db } = at.database;
    const sourceId = await seed.seedSource(db, { name: "vault", namespace: "treasury" });
    const id = await seed.seedEntity(db, { name: "heirloom" });
    await refresh();
    const found = async (filters: object = {}) =>
      await at.found(await at.begin({ query: "heirloom", filters }));
    const set = (assignment: string, value: unknown) =>
      db.query(`UPDATE data_entity SET ${assignment} WHERE id = $1`, [id, value]);
    await set("status = $2", 2);
    expect(await found({ statuses: chosen(2) })).toEqual([id]);
    await set("type_id = $2", 5);
    expect(await found({ types: chosen(5) })).toEqual([id]);
    await set("class_ids = $2", [2]);
    const { json } = await at.start({ query: "heirloom" });
    expect(json.facet_state.entity_classes).toContainEqual(
      { id: 2, name: "DATA_TRANSFORMER", count: 1, selected: false },
    );
    await set("data_source_id = $2", sourceId);
    const session = await at.begin({ query: "heirloom" });
    expect(await at.values(session, "datasources")).toMatchObject([{ name: "vault", count: 1 }]);
    expect(await at.values(session, "namespaces")).toMatchObject([{ name: "treasury", count: 1 }]);
    await set("status = $2", 5);
    expect(await found()).toEqual([]);
    await set("status = $2", 1);
    await set("manually_created = $2", true);
    const hand = "/api/search/suggestions?query=heirloom&manually_created=true";
    expect((await at.api.get(hand)).json).toMatchObject([{ id }]);
    await set("excluded_from_search = $2", true);
    expect(await found()).toEqual([]);
  });
});
