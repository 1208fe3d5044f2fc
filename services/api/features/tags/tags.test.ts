import { describe, expect, test } from "vitest";
import { Tag, TagList } from "#contract/catalogue/common.ts";
import { refreshBatch } from "#services/housekeeping/search-refresh.ts";
import { tagsUnderTest } from "#services/api/features/tags/testing/harness.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, list, put, stored, found } = tagsUnderTest();

const make = async (...names: string[]): Promise<number[]> => {
  const answer = await api.post("/api/tags", names.map((name) => ({ name })));
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return answer.json.map(({ id }: { id: number }) => id);
};
const refreshed = async () => {
  while (await refreshBatch(database.db) !== null);
};

describe("createTag", () => {
  test("200: all of the form, in its order", async () => {
    const form = [{ name: " zeta ", important: true }, { name: "alpha" }];
    const answer = await api.post("/api/tags", form);
    expect(answer.status).toBe(200);
    const rest = { external: false, usedCount: 0 };
    expect(TagList.parse(answer.json)).toMatchObject([
      { name: "zeta", important: true, ...rest },
      { name: "alpha", important: false, ...rest },
    ]);
    expect((await api.post("/api/tags", [])).json).toEqual([]);
  });

  test("400 USR003: names that are taken or given twice are listed, and none is made", async () => {
    await make("taken");
    const answer = await api.post("/api/tags", [{ name: "spare" }, { name: "taken" }]);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "USR003", details: [{ field: "[1].name" }] });
    const twice = await api.post("/api/tags", [{ name: "twice" }, { name: "twice " }]);
    expect(twice.json).toMatchObject({ code: "USR003", details: [{ field: "[1].name" }] });
    expect([...await list("query=spare"), ...await list("query=twice")]).toEqual([]);
  });

  test("400 USR003: another spelling of a tag, or two in one form; a change of case is no clash", async () => {
    const [id] = await make("Überfällig");
    const twice = await api.post("/api/tags", [{ name: "Spelled" }, { name: "SPELLED" }]);
    expect(twice.json).toMatchObject({ code: "USR003", details: [{ field: "[1].name" }] });
    for (const name of ["überfällig", "ÜBERFÄLLIG", "Überfällig".normalize("NFD")]) {
      const answer = await api.post("/api/tags", [{ name }]);
      expect([answer.status, answer.json.details?.[0].field]).toEqual([400, "[0].name"]);
    }
    expect((await api.put(`/api/tags/${id}`, { name: "überfällig" })).json.name).toBe("überfällig");
    const [other] = await make("other tag");
    expect((await api.put(`/api/tags/${other}`, { name: "ÜBERFÄLLIG" })).json.code).toBe("USR003");
  });

  test.each<[string, unknown, string]>([
    ["no list", { name: "no list" }, "body"],
    ["an empty name", [{ name: "" }], "[0].name"],
    ["no name", [{ name: "a" }, {}], "[1].name"],
    ["too long a name", [{ name: "x".repeat(2_001) }], "[0].name"],
    ["too many bytes", [{ name: "ä".repeat(1_001) }], "[0].name"],
    ["NUL", [{ name: "a\0" }], "[0].name"],
    ["no boolean", [{ name: "a", important: "yes" }], "[0].important"],
    ["too many", Array.from({ length: 1_001 }, (_, n) => ({ name: `t${n}` })), "body"],
  ])("400 USR001: %s", async (_, body, field) => {
    const { status, json } = await api.post("/api/tags", body);
    expect([status, json.code, json.details[0].field]).toEqual([400, "USR001", field]);
  });
});

describe("getPopularTagList", () => {
  test("200: the most used first, then by name; what has a tag twice counts once", async () => {
    const { db } = database;
    const [one, two] = [await seed.seedEntity(db), await seed.seedEntity(db)];
    await make("pop b", "pop a");
    for (const origin of ["INTERNAL", "EXTERNAL"] as const) {
      await seed.seedTag(db, one, "pop twice", { origin });
    }
    await seed.seedTag(db, one, "pop often", { origin: "INTERNAL" });
    await seed.seedTag(db, two, "pop often", { origin: "INTERNAL" });
    const field = await dataset.seedField(db, one, { catrn: "//f/pop" });
    for (const origin of ["INTERNAL", "EXTERNAL_STATISTICS"] as const) {
      await dataset.seedFieldTag(db, field, "pop often", origin);
    }
    const tags = await list("query=POP");
    expect(tags.map(({ name, usedCount, external }) => [name, usedCount, external])).toEqual([
      ["pop often", 3, true],
      ["pop twice", 1, true],
      ["pop a", 0, false],
      ["pop b", 0, false],
    ]);
    const ids = `ids=${tags[3]!.id},${tags[1]!.id}`;
    expect((await list(ids)).map(({ name }) => name)).toEqual(["pop twice", "pop b"]);
    const last = (await api.get("/api/tags?page=2&size=3&query=pop")).json;
    expect(last).toMatchObject({
      items: [{ name: "pop b" }],
      page_info: { total: 4, hasNext: false },
    });
  });

  test("400: page and size are required", async () => {
    expect((await api.get("/api/tags")).status).toBe(400);
  });
});

describe("updateTag", () => {
  test("200: renames, what is left out stays, and what has it is found by the new name", async () => {
    const entity = await seed.seedEntity(database.db);
    await put(entity, "colour");
    const [tag] = await list("query=colour");
    const path = `/api/tags/${tag!.id}`;
    const answer = await api.put(path, { name: "hue", important: true });
    expect(answer.status).toBe(200);
    expect(Tag.parse(answer.json))
      .toEqual({ id: tag!.id, name: "hue", important: true, external: false, usedCount: 1 });
    expect((await api.put(path, { name: "hue" })).json.important).toBe(true);
    await refreshed();
    expect([await found("hue"), await found("colour")]).toEqual([[entity], []]);
  });

  test("400 USR003: the name is another's; 400: a collector sets it; 404: unknown", async () => {
    const [mine] = await make("mine", "another");
    const answer = await api.put(`/api/tags/${mine}`, { name: "another" });
    expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
    expect((await api.put("/api/tags/999999", { name: "x" })).status).toBe(404);
    for (const id of await externals()) {
      const refused = await api.put(`/api/tags/${id}`, { name: "renamed" });
      expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
    }
  });
});

/** Tags that a collector sets: on an entity, on a field, by statistics of a field. */
async function externals(): Promise<number[]> {
  const { db } = database;
  const entity = await seed.seedEntity(db);
  const field = await dataset.seedField(db, entity, { catrn: `//f/${crypto.randomUUID()}` });
  const names = [1, 2, 3].map(() => crypto.randomUUID());
  await seed.seedTag(db, entity, names[0]!);
  await dataset.seedFieldTag(db, field, names[1]!, "EXTERNAL");
  await dataset.seedFieldTag(db, field, names[2]!, "EXTERNAL_STATISTICS");
  const rows = await db.query<{ id: number }>("SELECT id FROM tag WHERE name = ANY($1)", [names]);
  expect(rows).toHaveLength(3);
  return rows.map(({ id }) => id);
}

describe("deleteTag", () => {
  test("204: entities and fields lose it and are not found by it any more, then 404", async () => {
    const { db } = database;
    const [entity, table] = [await seed.seedEntity(db), await seed.seedEntity(db)];
    await put(entity, "doomed", "spared");
    const field = await dataset.seedField(db, table, { catrn: "//f/plain" });
    await dataset.seedVersion(db, table, 1, [field]);
    await dataset.seedFieldTag(db, field, "doomed", "INTERNAL");
    await db.query("SELECT refresh_search_documents($1)", [[entity, table]]);
    expect(await found("doomed")).toEqual([entity, table]);
    const [tag] = await list("query=doomed");
    expect((await api.delete(`/api/tags/${tag!.id}`)).status).toBe(204);
    expect([await stored(entity), await found("doomed")]).toEqual([["spared INTERNAL"], []]);
    expect((await api.delete(`/api/tags/${tag!.id}`)).status).toBe(404);
  });

  test("204: search follows soon after where very many have it", async () => {
    const { db } = database;
    const [tag] = await make("everywhere");
    await db.query(
      `WITH e AS (
         INSERT INTO data_entity (catrn, external_name) SELECT '//many/' || n, 'm' FROM generate_series(1, 1200) n
         RETURNING id)
       INSERT INTO entity_tag (entity_id, tag_id, origin) SELECT id, $1, 'INTERNAL' FROM e`,
      [tag],
    );
    await db.query(
      "SELECT refresh_search_documents(ARRAY(SELECT entity_id FROM entity_tag WHERE tag_id = $1))",
      [tag],
    );
    expect(await found("everywhere")).toHaveLength(1_200);
    expect((await api.delete(`/api/tags/${tag}`)).status).toBe(204);
    await refreshed();
    expect(await found("everywhere")).toEqual([]);
    expect(await db.query("SELECT FROM search_document_queue")).toEqual([]);
  });

  test("400: a collector sets it", async () => {
    for (const id of await externals()) {
      const refused = await api.delete(`/api/tags/${id}`);
      expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
    }
  });
});
