import { describe, expect, test } from "vitest";
import { TagList } from "#contract/catalogue/common.ts";
import { Ownership } from "#contract/catalogue/people.ts";
import { ownerRoutes } from "#services/api/features/owners/routes.ts";
import { ownershipRoutes } from "#services/api/features/ownership/routes.ts";
import { maxOwners } from "#services/api/features/ownership/service.ts";
import { refreshBatch } from "#services/housekeeping/search-refresh.ts";
import { tagRoutes } from "#services/api/features/tags/routes.ts";
import { namespaceRoutes } from "#services/api/features/namespaces/routes.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, form, make } = glossaryUnderTest((context) => [
  ...ownerRoutes(context),
  ...ownershipRoutes(context),
  ...tagRoutes(context),
  ...namespaceRoutes(context),
]);

const own = (term: number, owner_name: string, title_name?: string) =>
  api.post(`/api/terms/${term}/ownership`, { owner_name, title_name });
const tag = (term: number, ...tag_name_list: string[]) =>
  api.put(`/api/terms/${term}/tags`, { tag_name_list });
const found = async (word: string) =>
  (await database.db.query<{ id: number }>(
    "SELECT term_id AS id FROM term_document WHERE vector @@ search_query($1) ORDER BY 1",
    [word],
  )).map(({ id }) => id);
const refreshed = async () => {
  while (await refreshBatch(database.db) !== null);
};

describe("ownership of a term", () => {
  test("200: owner and title are made on the way, shown, and found by", async () => {
    const term = await make("owned");
    const answer = await own(term, " Ann ", "Steward");
    expect(answer.status).toBe(200);
    expect(Ownership.parse(answer.json)).toMatchObject({
      owner: { name: "Ann" },
      title: { name: "Steward" },
    });
    await own(term, "Bob");
    const { ownership } = (await api.get(`/api/terms/${term}`)).json;
    expect(ownership).toMatchObject([{ owner: { name: "Ann" } }, { title: null }]);
    expect([await found("bob"), await found("steward")]).toEqual([[term], [term]]);
  });

  test("200: another title, none, and the same where it is left out; propagate means nothing", async () => {
    const term = await make("titled");
    const path = `/api/terms/${term}/ownership/${(await own(term, "Cid", "Cook")).json.id}`;
    const put = async (body: object) => (await api.put(path, body)).json.title?.name ?? null;
    expect(await put({ title_name: "Chef", propagate: true })).toBe("Chef");
    expect(await put({})).toBe("Chef");
    expect([await found("chef"), await found("cook")]).toEqual([[term], []]);
    expect(await put({ title_name: null })).toBe(null);
    expect(await found("chef")).toEqual([]);
  });

  test("204: taken away, and not found by any more", async () => {
    const term = await make("left");
    const path = `/api/terms/${term}/ownership/${(await own(term, "Dan")).json.id}`;
    expect((await api.delete(path)).status).toBe(204);
    expect([(await api.delete(path)).status, await found("dan")]).toEqual([404, []]);
  });

  test("400: more owners than there may be; those that are stay", async () => {
    const term = await make("crowded");
    await database.db.query(
      `WITH o AS (INSERT INTO owner (name) SELECT 'crowd ' || n FROM generate_series(1, $2::integer) n RETURNING id)
       INSERT INTO term_ownership (term_id, owner_id) SELECT $1, id FROM o`,
      [term, maxOwners - 1],
    );
    expect((await own(term, "last")).status).toBe(200);
    const refused = await own(term, "late");
    expect([refused.status, refused.json.details[0].field]).toEqual([400, "owner_name"]);
    expect((await api.get(`/api/terms/${term}`)).json.ownership).toHaveLength(maxOwners);
  });

  test("400 USR003: owns it already; 404: unknown term, ownership of another term; 400: no owner", async () => {
    const [term, other] = [await make("once"), await make("others")];
    const made = await own(term, "Eve");
    const repeated = await own(term, "Eve", "Cook");
    expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
    expect((await own(999_999, "Eve")).status).toBe(404);
    const elsewhere = `/api/terms/${other}/ownership/${made.json.id}`;
    expect((await api.put(elsewhere, { title_name: "Cook" })).status).toBe(404);
    expect((await api.delete(elsewhere)).status).toBe(404);
    expect((await api.get(`/api/terms/${term}`)).json.ownership).toMatchObject([{ title: null }]);
    expect((await own(term, " ")).json.details[0].field).toBe("owner_name");
  });

  test("an owner is not deleted while it owns a term; titles of terms are listed", async () => {
    const term = await make("keeps owner");
    const { json: { id, owner } } = await own(term, "Fay", "Title of terms alone");
    const refused = await api.delete(`/api/owners/${owner.id}`);
    expect([refused.status, refused.json.code]).toEqual([400, "USR004"]);
    const titles = async () =>
      (await api.get("/api/titles?page=1&size=9&query=terms alone")).json.items.length;
    expect(await titles()).toBe(1);
    await api.delete(`/api/terms/${term}/ownership/${id}`);
    expect([(await api.delete(`/api/owners/${owner.id}`)).status, await titles()]).toEqual([
      204,
      0,
    ]);
  });

  test("two at once: one ownership, and one is told", async () => {
    const term = await make("race of owners");
    const answers = await Promise.all([own(term, "Gus"), own(term, "Gus"), own(term, "Hal")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
  });
});

describe("createTermTagsRelations", () => {
  const used = async (name: string) =>
    (await api.get(`/api/tags?page=1&size=9&query=${name}`)).json.items
      .map((one: { name: string; usedCount: number }) => [one.name, one.usedCount]);

  test("200: replaces the tags; missing ones are made; found and counted by them", async () => {
    const term = await make("tagged");
    const first = await tag(term, " zeta1 ", "alpha1", "zeta1");
    expect(first.status).toBe(200);
    expect(TagList.parse(first.json).map(({ name, external }) => [name, external]))
      .toEqual([["alpha1", false], ["zeta1", false]]);
    const entity = await seed.seedEntity(database.db);
    await seed.seedTag(database.db, entity, "zeta1", { origin: "INTERNAL" });
    expect([await used("zeta1"), await used("alpha1")])
      .toEqual([[["zeta1", 2]], [["alpha1", 1]]]);
    expect((await tag(term, "beta1")).json).toMatchObject([{ name: "beta1" }]);
    expect([await found("beta1"), await found("alpha1")]).toEqual([[term], []]);
    expect((await api.get(`/api/terms/${term}`)).json.tags).toMatchObject([{ name: "beta1" }]);
    expect((await tag(term)).json).toEqual([]);
  });

  test("404: unknown, and no tag is made; 400 names the wrong one", async () => {
    expect((await tag(999_999, "nobody has it")).status).toBe(404);
    expect(await used("nobody has it")).toEqual([]);
    const wrong = await tag(await make("wrongly tagged"), "a", " ");
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "tag_name_list[1]"]);
    const many = await tag(await make("over tagged"), ...Array(1_001).fill("t"));
    expect([many.status, many.json.details[0].field]).toEqual([400, "tag_name_list"]);
  });

  test("a tag of terms alone is changed and deleted; terms follow", async () => {
    const term = await make("follows");
    const [{ id }] = (await tag(term, "colour1")).json;
    const changed = await api.put(`/api/tags/${id}`, { name: "hue1" });
    expect([changed.status, changed.json.usedCount]).toEqual([200, 1]);
    await refreshed();
    expect([await found("hue1"), await found("colour1")]).toEqual([[term], []]);
    expect((await api.delete(`/api/tags/${id}`)).status).toBe(204);
    expect(await found("hue1")).toEqual([]);
    expect((await api.get(`/api/terms/${term}`)).json.tags).toEqual([]);
  });

  test("two at once, with a tag that is deleted meanwhile: all succeed, one of the lists is left", async () => {
    const term = await make("race of tags");
    for (let round = 0; round < 4; round++) {
      const [{ id }] = (await tag(term, "gone soon")).json;
      const answers = await Promise.all([
        tag(term, "one", "two", "gone soon"),
        tag(term, "two", "three"),
        api.delete(`/api/tags/${id}`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 204]);
      const names = (await api.get(`/api/terms/${term}`)).json.tags
        .map(({ name }: { name: string }) => name).join();
      expect(["one,two", "gone soon,one,two", "three,two"]).toContain(names);
    }
  });
});

describe("namespaces of terms", () => {
  test("are not deleted while they have terms; renamed, they find their terms", async () => {
    const term = await make("inhabitant", "inhabited");
    const id = await seed.seedNamespace(database.db, "inhabited");
    const refused = await api.delete(`/api/namespaces/${id}`);
    expect([refused.status, refused.json.code]).toEqual([400, "USR004"]);
    expect((await api.put(`/api/namespaces/${id}`, { name: "dwelling1" })).status).toBe(200);
    await refreshed();
    expect(await found("dwelling1")).toEqual([term]);
    await api.put(`/api/terms/${term}`, form("inhabitant", "left for"));
    expect((await api.delete(`/api/namespaces/${id}`)).status).toBe(204);
  });
});
