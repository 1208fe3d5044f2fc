import { describe, expect, it } from "vitest";
import { attachmentsUnderTest } from "#services/api/features/attachments/testing/harness.ts";

const { api, entity, list, pathOf } = attachmentsUnderTest();

const link = (name: string, url = "https://example.org/a?b=c#d") => ({ name, url });
const save = (id: number, ...items: unknown[]) => api.post(pathOf(id, "/links"), { items });
const linksOf = async (id: number) =>
  (await list(id)).links.map(({ name, url }: { name: string; url: string }) => [name, url]);

describe("saveLinks", () => {
  it("200: adds links in their order, and the list shows them", async () => {
    const id = await entity();
    const made = await save(id, link(" Wiki "), link("Mail", "mailto:team@example.org"));
    expect(made.status).toBe(200);
    expect(made.json.map(({ name }: { name: string }) => name)).toEqual(["Wiki", "Mail"]);
    expect((await save(id, link("Third"))).json).toHaveLength(1);
    expect(await linksOf(id)).toEqual([
      ["Wiki", "https://example.org/a?b=c#d"],
      ["Mail", "mailto:team@example.org"],
      ["Third", "https://example.org/a?b=c#d"],
    ]);
    expect((await save(id)).json).toEqual([]);
  });

  it("200: on deleted entities too; 404 for an unknown and for a hollow one", async () => {
    expect((await save(await entity({ status: 5 }), link("x"))).status).toBe(200);
    for (const id of [999_999, await entity({ hollow: true })]) {
      expect((await save(id, link("x"))).status).toBe(404);
      expect((await api.get(pathOf(id, "/attachments"))).status).toBe(404);
    }
  });

  it.each([
    ["a scheme that runs", link("x", "javascript:alert(1)"), "items[1].url"],
    ["one in disguise", link("x", "java\tscript:alert(1)"), "items[1].url"],
    ["data", link("x", "data:text/html,<script>"), "items[1].url"],
    ["a file", link("x", "file:///etc/passwd"), "items[1].url"],
    ["no scheme", link("x", "//example.org"), "items[1].url"],
    ["blanks", link("x", "https://example.org/a b"), "items[1].url"],
    ["text that turns", link("x", "https://example.org/\u202egpj.exe"), "items[1].url"],
    ["a long address", link("x", `https://example.org/${"a".repeat(2_000)}`), "items[1].url"],
    ["no name", { url: "https://example.org" }, "items[1].name"],
    ["an empty name", link("  "), "items[1].name"],
    ["a long name", link("x".repeat(256)), "items[1].name"],
    ["a name with NUL", link("a\0b"), "items[1].name"],
    ["a name of half a character", link("a\ud800"), "items[1].name"],
    ["a name that turns", link("a\u202eb"), "items[1].name"],
  ])("400 USR001: %s; nothing is added", async (_, wrong, field) => {
    const id = await entity();
    const { status, json } = await save(id, link("good"), wrong);
    expect([status, json.code, json.details[0].field]).toEqual([400, "USR001", field]);
    expect(await linksOf(id)).toEqual([]);
  });

  it("400: more than an entity may have, also by several at once", async () => {
    const id = await entity();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => save(id, link(`${n}`))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 400, 400]);
    const refused = await save(id, link("one more"));
    expect(refused.json.details[0]).toMatchObject({ field: "items" });
    expect(await linksOf(id)).toHaveLength(4);
  });
});

describe("updateLink and deleteLink", () => {
  it("200 and 204: change and delete; 404 afterwards, and for a link of another entity", async () => {
    const [id, other] = [await entity(), await entity()];
    const [{ id: made }] = (await save(id, link("old"))).json;
    const path = (of: number, which = made) => pathOf(of, `/links/${which}`);
    const form = link("new", "http://example.org");
    for (const wrong of [path(other), path(id, 999_999), path(999_999)]) {
      expect((await api.put(wrong, form)).status).toBe(404);
      expect((await api.delete(wrong)).status).toBe(404);
    }
    expect(await linksOf(id)).toEqual([["old", "https://example.org/a?b=c#d"]]);
    expect((await api.put(path(id), form)).json).toEqual({ id: made, ...form });
    expect((await api.put(path(id), link("x", "javascript:1"))).status).toBe(400);
    expect(await linksOf(id)).toEqual([["new", "http://example.org"]]);
    expect((await api.delete(path(id))).status).toBe(204);
    expect((await api.delete(path(id))).status).toBe(404);
    expect((await api.put(path(id), form)).status).toBe(404);
  });

  it("two at once end in one of the two", async () => {
    const id = await entity();
    const [{ id: made }] = (await save(id, link("old"))).json;
    const forms = ["a", "b", "c", "d"].map((name) => link(name, `https://example.org/${name}`));
    await Promise.all(forms.map((form) => api.put(pathOf(id, `/links/${made}`), form)));
    const [[name, url]] = await linksOf(id);
    expect(url).toBe(`https://example.org/${name}`);
  });
});
