import { describe, expect, it } from "vitest";
import { Ownership, TitleList } from "#contract/catalogue/people.ts";
import { ownershipUnderTest } from "#services/api/features/ownership/testing/harness.ts";
import { maxOwners } from "#contract/ingestion/limits.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, pathOf, give, ownersOf, activities, found } = ownershipUnderTest();

const entity = (given?: seed.SeedEntity) => seed.seedEntity(database.db, given);
const titles = async (query: string) =>
  TitleList.parse((await api.get(`/api/titles?page=1&size=50&query=${query}`)).json)
    .items.map(({ name }) => name);

describe("createOwnership", () => {
  it("200: makes owner and title, records it, and the entity is found by both", async () => {
    const id = await entity();
    const made = await give(id, "  Ann ", { title_name: "Steward" });
    expect(made).toMatchObject({
      owner: { name: "Ann", roles: [], associated_user: null },
      title: { name: "Steward" },
    });
    await give(id, "Bob");
    expect(await ownersOf(id)).toEqual(["Ann (Steward)", "Bob"]);
    expect(await activities(id)).toEqual([
      ["OWNERSHIP_CREATED", [], ["Ann (Steward)"]],
      ["OWNERSHIP_CREATED", ["Ann (Steward)"], ["Ann (Steward)", "Bob"]],
    ]);
    expect([await found("ann"), await found("steward")]).toEqual([[id], [id]]);
  });

  it("200: an owner and a title of that name are used", async () => {
    const [a, b] = [await entity(), await entity()];
    const first = await give(a, "Reused", { title_name: "Again" });
    const second = await give(b, "Reused", { title_name: "Again", propagate: true });
    expect([second.owner.id, second.title?.id]).toEqual([first.owner.id, first.title?.id]);
    expect((await give(b, "Untitled", { title_name: " " })).title).toBeNull();
  });

  it("200: on deleted entities too; 404 for an unknown and for a hollow one, nothing made", async () => {
    await give(await entity({ status: 5 }), "Late");
    for (const id of [999_999, await entity({ hollow: true })]) {
      expect((await api.post(pathOf(id), { owner_name: "Nobody" })).status).toBe(404);
    }
    expect(await database.db.query("SELECT FROM owner WHERE name = 'Nobody'")).toEqual([]);
  });

  it("400 USR003: it owns the entity already; nothing else changes", async () => {
    const id = await entity();
    await give(id, "Once", { title_name: "First" });
    const form = { owner_name: "Once", title_name: "Second" };
    const answer = await api.post(pathOf(id), form);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "USR003", details: [{ field: "owner_name" }] });
    expect([await ownersOf(id), await titles("Second")]).toEqual([["Once (First)"], []]);
  });

  it.each([
    ["no owner", {}, "owner_name"],
    ["an empty owner", { owner_name: " " }, "owner_name"],
    ["too long a title", { owner_name: "a", title_name: "x".repeat(256) }, "title_name"],
    ["no boolean", { owner_name: "a", propagate: "yes" }, "propagate"],
  ])("400 USR001: %s", async (_, body, field) => {
    const { status, json } = await api.post(pathOf(await entity()), body);
    expect([status, json.code, json.details[0].field]).toEqual([400, "USR001", field]);
  });

  it("400: more owners than there may be, also of many at once and of a member of a group", async () => {
    const { db } = database;
    const id = await entity();
    await db.query(
      `WITH o AS (INSERT INTO owner (name) SELECT 'crowd ' || n FROM generate_series(1, $2::integer) n RETURNING id)
       INSERT INTO ownership (entity_id, owner_id) SELECT $1, id FROM o`,
      [id, maxOwners - 2],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => api.post(pathOf(id), { owner_name: `late ${n}` })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400)!.json;
    expect([refused.code, refused.details[0].field]).toEqual(["USR001", "owner_name"]);
    expect(await ownersOf(id)).toHaveLength(maxOwners);
    const [head] = Object.values(await insertEntities(db, [group("crowded")]));
    await insertMembers(db, [[head!, id]]);
    const handed = await api.post(pathOf(head!), { owner_name: "handed on", propagate: true });
    expect([handed.status, await ownersOf(head!)]).toEqual([400, []]);
    expect((await give(head!, "crowd 1", { propagate: true })).owner.name).toBe("crowd 1");
  });

  it("many at once, of the same new owner and title, all succeed", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => entity()));
    await Promise.all(ids.map((id) => give(id, "Racing", { title_name: "Racer" })));
    for (const id of ids) expect(await ownersOf(id)).toEqual(["Racing (Racer)"]);
  });
});

describe("updateOwnership", () => {
  it("200: sets the title, takes it, or leaves it", async () => {
    const id = await entity();
    const { id: ownership } = await give(id, "Uma");
    const put = async (form: object) => {
      const answer = await api.put(pathOf(id, ownership), form);
      return [answer.status, Ownership.parse(answer.json).title?.name];
    };
    expect(await put({ title_name: "Head" })).toEqual([200, "Head"]);
    expect(await put({})).toEqual([200, "Head"]);
    expect(await found("head")).toEqual([id]);
    expect(await put({ title_name: null })).toEqual([200, undefined]);
    expect((await activities(id)).slice(1)).toEqual([
      ["OWNERSHIP_UPDATED", ["Uma"], ["Uma (Head)"]],
      ["OWNERSHIP_UPDATED", ["Uma (Head)"], ["Uma"]],
    ]);
    expect(await found("head")).toEqual([]);
  });

  it("404: an unknown ownership, entity, or one of another entity", async () => {
    const [id, other] = [await entity(), await entity()];
    const ownership = await give(id, "Ugo");
    for (
      const path of [
        pathOf(id, 999_999),
        pathOf(999_999, ownership.id),
        pathOf(other, ownership.id),
      ]
    ) {
      expect((await api.put(path, { title_name: "x" })).status).toBe(404);
    }
    expect(await ownersOf(id)).toEqual(["Ugo"]);
  });
});

describe("deleteOwnership", () => {
  it("204, then 404: records it, and the entity is not found by it any more", async () => {
    const id = await entity();
    const { id: ownership } = await give(id, "Dora", { title_name: "Gone" });
    await give(id, "Stays");
    expect((await api.delete(pathOf(id, ownership))).status).toBe(204);
    expect((await api.delete(pathOf(id, ownership))).status).toBe(404);
    expect((await activities(id)).at(-1))
      .toEqual(["OWNERSHIP_DELETED", ["Dora (Gone)", "Stays"], ["Stays"]]);
    expect(await found("dora")).toEqual([]);
  });

  it("404 for an ownership of another entity, 400 for no boolean", async () => {
    const [id, other] = [await entity(), await entity()];
    const { id: ownership } = await give(id, "Dan");
    expect((await api.delete(pathOf(other, ownership))).status).toBe(404);
    const wrong = await api.delete(`${pathOf(id, ownership)}?propagate=maybe`);
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "propagate"]);
    expect(await ownersOf(id)).toEqual(["Dan"]);
  });
});

describe("getTitleList", () => {
  it("200: titles in use by name, page by page; one that nothing uses any more is gone", async () => {
    const id = await entity();
    const { id: ownership } = await give(id, "Tess", { title_name: "title_b" });
    await give(id, "Theo", { title_name: "TITLE_A" });
    expect(await titles("title_")).toEqual(["TITLE_A", "title_b"]);
    const second = (await api.get("/api/titles?page=2&size=1&query=title_")).json;
    expect(second).toMatchObject({
      items: [{ name: "title_b" }],
      page_info: { total: 2, hasNext: false },
    });
    await api.put(pathOf(id, ownership), { title_name: "title_c" });
    expect(await titles("title_")).toEqual(["TITLE_A", "title_c"]);
    await api.delete(pathOf(id, ownership));
    expect(await titles("title_")).toEqual(["TITLE_A"]);
  });

  it("400: page and size are required", async () => {
    expect((await api.get("/api/titles")).status).toBe(400);
  });
});
