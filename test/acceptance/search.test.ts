import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//bigquery/project/finding";
const namespaced = "//mode/host/boards";
const table = (name: string, more: object = {}) => ({
  catrn: `${source}/${name}`,
  name,
  type: "TABLE",
  dataset: { field_list: [] },
  ...more,
});

const tables = [
  table("customer_orders", { description: "Everything that was bought" }),
  table("Überweisungen", { tags: [{ name: "finance" }] }),
  table("wide", {
    dataset: {
      field_list: [{
        catrn: "//f/iban",
        name: "iban_number",
        description: "bank account",
        type: { type: "TYPE_STRING", is_nullable: true },
      }],
    },
  }),
  table("订单"),
  table('C:\\temp\\100%_done\'s "file"'),
];
const odd = [
  ..."'|\"|\\|%|_|&|!|(|)|:*|<->|a & |!!|a:b|$1|''|--|*|?|a'b\"c\\d|<script>|&amp;".split("|"),
  ..."100%_done's|C:\\temp|%27|+|#|;|/*|😀| \t\n|١٢٣|e\u0301|\u0000|\ud800".split("|"),
  "|",
  "x".repeat(50_000),
];

interface SearchPage {
  items: { external_name: string; id: number }[];
  page_info: { total: number };
}

journey("finding things", (client) => {
  const form = (query: string, filters: object = {}) => ({ query, my_objects: false, filters });
  const search = async (query: string, filters: object = {}) => {
    const answer = await client().post("/api/search", form(query, filters));
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    return answer.json;
  };
  const results = async (id: string, page = 1, size = 50): Promise<SearchPage> =>
    await client().read(`/api/search/${id}/results`, { page, size });
  const names = async (query: string, filters: object = {}) =>
    (await results((await search(query, filters)).search_id)).items.map((i) => i.external_name)
      .sort();
  const chosen = (entity_id: number, selected = true) => ({
    entity_id,
    entity_name: "x",
    selected,
  });

  it("finds by name, description, tag, field, source and CATRN", async () => {
    await client().register(source, "Warehouse");
    const made = await client().post("/api/datasources", {
      name: "Boards",
      catrn: namespaced,
      namespace_name: "reporting",
    });
    expect(made.status).toBe(200);
    await client().ingest(source, ...tables);
    await client().ingest(namespaced, {
      catrn: `${namespaced}/b`,
      name: "Sales board",
      type: "DASHBOARD",
      data_consumer: { inputs: [`${source}/customer_orders`, `${source}/hollow_orders`] },
    });
    expect(await names("orders")).toEqual(["customer_orders"]);
    expect(await names("CUSTOMER ord")).toEqual(["customer_orders"]);
    expect(await names("bought")).toEqual(["customer_orders"]);
    expect(await names("überweis")).toEqual(["Überweisungen"]);
    expect(await names("finance")).toEqual(["Überweisungen"]);
    expect(await names("iban")).toEqual(["wide"]);
    expect(await names("订单")).toEqual(["订单"]);
    expect(await names("reporting")).toEqual(["Sales board"]);
    expect(await names(`${source}/wide`)).toContain("wide");
    expect(await names("")).toHaveLength(6);
    expect(await names("hollow")).toEqual([]);
  });

  it.each(odd)("takes any characters: %j", async (query) => {
    const { search_id, query: storedQuery } = await search(query);
    const found = await results(search_id);
    expect(found.page_info.total).toBe(found.items.length);
    expect(typeof storedQuery).toBe("string");
    const url = query.toWellFormed().slice(0, 2_000);
    await client().read("/api/search/suggestions", { query: url });
    const list = await client().get("/api/dataentities", { query: url, page: 1, size: 5 });
    expect([200, 400]).toContain(list.status);
    await client().read(`/api/search/${search_id}/facet/types`, { query: url, page: 1, size: 5 });
    const first = found.items[0];
    if (first) {
      await client().read(`/api/search/${search_id}/data_entities/${first.id}/highlights`);
    }
  });

  it("finds what holds the odd characters", async () => {
    expect(await names("C:\\temp\\100%_done's")).toEqual(['C:\\temp\\100%_done\'s "file"']);
  });

  it("highlights what was found, escaped", async () => {
    const { search_id } = await search("bank iban");
    const [wide] = (await results(search_id)).items;
    const light = await client().read(
      `/api/search/${search_id}/data_entities/${wide!.id}/highlights`,
    );
    expect(JSON.stringify(light.dataset_structure)).toContain("<b>");
    const unknown = await client().get(`/api/search/${search_id}/data_entities/99999/highlights`);
    expect(unknown.status).toBe(404);
  });

  it("narrows by facets, adding and taking away", async () => {
    const { search_id, facet_state, total } = await search("");
    expect(total).toBe(6);
    const counts = Object.fromEntries(
      facet_state.entity_classes.map((c: { name: string; count: number }) => [c.name, c.count]),
    );
    expect(counts).toMatchObject({ DATA_SET: 5, DATA_CONSUMER: 1 });
    const facet = async (name: string) =>
      await client().read(`/api/search/${search_id}/facet/${name}`, { page: 1, size: 10 });
    const types = await facet("types");
    expect(types.map((t: { name: string; count: number }) => `${t.name} ${t.count}`))
      .toEqual(["TABLE 5", "DASHBOARD 1"]);
    const tag = (await facet("tags")).find((t: { name: string }) => t.name === "finance");
    expect(tag.count).toBe(1);
    const update = (filters: object) => client().put(`/api/search/${search_id}`, form("", filters));
    const narrowed = await update({ tags: [chosen(tag.id)] });
    expect([narrowed.json.total, narrowed.json.facet_state.tags.map((t: { id: number }) => t.id)])
      .toEqual([1, [tag.id]]);
    expect((await results(search_id)).items.map((i) => i.external_name)).toEqual(["Überweisungen"]);
    expect(await facet("tags")).toEqual([]);
    expect((await client().read(`/api/search/${search_id}`)).total).toBe(1);
    const widened = await update({ tags: [chosen(tag.id, false)], entity_classes: [chosen(6)] });
    expect(widened.json.total).toBe(1);
    expect((await results(search_id)).items.map((i) => i.external_name)).toEqual(["Sales board"]);
    const classes = widened.json.facet_state.entity_classes;
    expect(classes.find((c: { name: string }) => c.name === "DATA_SET")?.count).toBe(5);
  });

  it.each(["datasources", "namespaces", "owners", "groups", "statuses", "types", "tags"])(
    "lists the facet %s",
    async (name) => {
      const { search_id } = await search("");
      const list = await client().read(`/api/search/${search_id}/facet/${name}`, {
        page: 1,
        size: 10,
      });
      const expectedTexts: Record<string, string[]> = {
        datasources: ["Warehouse", "Boards"],
        namespaces: ["reporting"],
        owners: [],
        groups: [],
        types: ["TABLE", "DASHBOARD"],
        tags: ["finance"],
      };
      const expected = expectedTexts[name];
      if (expected) expect(list.map((f: { name: string }) => f.name)).toEqual(expected);
      else expect(list.map((f: { name: string }) => f.name)).toContain("UNASSIGNED");
    },
  );

  it("hides the deleted unless they are requested", async () => {
    const id = await client().id(`${source}/wide`);
    await client().put(`/api/dataentities/${id}/statuses`, { status: { status: "DELETED" } });
    expect(await names("iban")).toEqual([]);
    expect(await names("iban", { statuses: [chosen(5)] })).toEqual(["wide"]);
    const listed = await client().read("/api/dataentities", { query: "wide", page: 1, size: 5 });
    expect(listed.items).toEqual([]);
    const suggested = await client().read("/api/search/suggestions", { query: "wide" });
    expect(suggested).toEqual([]);
    await client().put(`/api/dataentities/${id}/statuses`, { status: { status: "STABLE" } });
    expect(await names("iban")).toEqual(["wide"]);
  });

  it("suggests at most ten, by class", async () => {
    const hints = Array.from({ length: 12 }, (_, n) => table(`hint ${n}`));
    await client().ingest(source, ...hints);
    await client().ingest(source, ...[1, 2, 3, 4, 5, 6, 7].map((n) => table(`suggestion ${n}`)));
    expect(await client().read("/api/search/suggestions", { query: "hin" })).toHaveLength(10);
    expect(await client().read("/api/search/suggestions", { query: "sugg" })).toHaveLength(7);
    const none = await client().read("/api/search/suggestions", {
      query: "sugg",
      entity_class_id: 6,
    });
    expect(none).toEqual([]);
    const manual = await client().read("/api/search/suggestions", {
      query: "sugg",
      manually_created: true,
    });
    expect(manual).toEqual([]);
  });

  it("pages without gap or repeat", async () => {
    const { search_id } = await search("suggestion");
    const pages = [await results(search_id, 1, 3), await results(search_id, 2, 3)];
    pages.push(await results(search_id, 3, 3));
    const ids = pages.flatMap((p) => p.items.map((i) => i.id));
    expect([ids.length, new Set(ids).size]).toEqual([7, 7]);
    expect(pages.map((p) => (p.page_info as unknown as { hasNext: boolean }).hasNext))
      .toEqual([true, true, false]);
  });

  it("finds a source's entities by its new name, however it was renamed", async () => {
    await client().register(source, "Lakehouse");
    await expect.poll(() => names("lakehouse wide")).toEqual(["wide"]);
    expect(await names("warehouse")).toEqual([]);
    const { items } = await client().read("/api/datasources", {
      query: "lakehouse",
      page: 1,
      size: 5,
    });
    const renamed = await client().put(`/api/datasources/${items[0].id}`, {
      name: "Swamp",
      namespace_name: "mud",
      description: null,
    });
    expect(renamed.json.namespace.name).toBe("mud");
    await expect.poll(() => names("swamp mud wide")).toEqual(["wide"]);
  });

  it("finds a dataset of 12,000 columns by each of them", async () => {
    const field_list = Array.from({ length: 12_000 }, (_, n) => ({
      catrn: `//f/breit${n}`,
      name: `reading_${n}`,
      description: `what sensor ${n} told in its last hour`,
      type: { type: "TYPE_STRING", is_nullable: true },
    }));
    await client().ingest(source, table("sensors", { dataset: { field_list } }));
    for (const n of [0, 6_000, 11_999]) {
      expect(await names(`sensors reading_${n}`)).toEqual(["sensors"]);
    }
  });
});
