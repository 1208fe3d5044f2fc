import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";
import { eventually } from "#test/support/eventually.ts";

const page = { page: 1, size: 50 };
const source = "//postgresql/host/people";
const orders = `${source}/orders`;
const table = (tags: string[]) => ({
  catrn: orders,
  name: "orders",
  type: "TABLE",
  tags: tags.map((name) => ({ name })),
  dataset: { field_list: [] },
});
interface NamedItem {
  id: number;
  name: string;
}
const names = (items: NamedItem[]) => items.map(({ name }) => name);

journey("owners and tags", (client) => {
  const find = async (query: string) => {
    const search = await client().post("/api/search", { query, filters: {} });
    const path = `/api/search/${search.json.search_id}/results`;
    return (await client().read(path, page)).items.map((one: { catrn: string }) => one.catrn);
  };

  it("gives an entity an owner, who is known from then on and stays while it owns it", async () => {
    await client().register(source);
    await client().ingest(source, table(["nightly"]));
    const path = `/api/dataentities/${await client().id(orders)}/ownership`;
    const made = await client().post(path, { owner_name: "Sales", title_name: "Steward" });
    expect(made.json).toMatchObject({ owner: { name: "Sales" }, title: { name: "Steward" } });
    const { items } = await client().read("/api/owners", page);
    expect(items).toEqual([{ id: items[0].id, name: "Sales", roles: [], associated_user: null }]);
    expect(names((await client().read("/api/titles", page)).items)).toEqual(["Steward"]);
    const used = await client().delete(`/api/owners/${items[0].id}`);
    expect([used.status, used.json.code]).toEqual([400, "USR004"]);
    expect(await find("sales steward")).toEqual([orders]);
    const renamed = await client().put(`/api/owners/${items[0].id}`, { name: "Revenue" });
    expect([renamed.status, renamed.json.name]).toEqual([200, "Revenue"]);
    await eventually(async () => expect(await find("revenue")).toEqual([orders]));
    expect((await client().delete(`${path}/${made.json.id}`)).status).toBe(204);
    expect((await client().delete(`/api/owners/${items[0].id}`)).status).toBe(204);
    expect((await client().read("/api/titles", page)).items).toEqual([]);
  });

  it("keeps the tags of people and of collectors apart", async () => {
    const id = await client().id(orders);
    const list = { tag_name_list: ["pii", "nightly"] };
    const put = await client().put(`/api/dataentities/${id}/tags`, list);
    expect(put.json.map((tag: { name: string; external: boolean }) => [tag.name, tag.external]))
      .toEqual([["nightly", true], ["pii", false]]);
    const { items } = await client().read("/api/tags", page);
    const idOf = (name: string) => items.find((tag: NamedItem) => tag.name === name).id;
    const theirs = await client().put(`/api/tags/${idOf("nightly")}`, { name: "daily" });
    expect([theirs.status, theirs.json.code]).toEqual([400, "USR001"]);
    await client().ingest(source, table(["weekly"]));
    const details = async () => names((await client().read(`/api/dataentities/${id}`)).tags);
    expect(await details()).toEqual(["pii", "weekly"]);
    expect((await client().put(`/api/tags/${idOf("pii")}`, { name: "secret" })).status).toBe(200);
    await eventually(async () => expect(await find("secret")).toEqual([orders]));
    expect((await client().delete(`/api/tags/${idOf("pii")}`)).status).toBe(204);
    expect([await details(), await find("secret")]).toEqual([["weekly"], []]);
  });

  it("offers the most used tags first", async () => {
    const made = await client().post("/api/tags", [{ name: "aside", important: true }]);
    expect(made.json).toMatchObject([{ name: "aside", important: true, usedCount: 0 }]);
    const { items } = await client().read("/api/tags", page);
    expect(names(items)).toEqual(["weekly", "aside", "nightly"]);
    expect(items[0]).toMatchObject({ usedCount: 1, external: true });
  });
});
