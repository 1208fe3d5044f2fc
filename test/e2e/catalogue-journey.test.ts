import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineSets, type Instance, startInstance } from "#test/support/engines/instance.ts";
import { shopTable } from "#platform/demonstration/catalogue/shop.ts";
import { martTable } from "#platform/demonstration/catalogue/warehouse.ts";
import { type DemoClient, demoClient } from "../../tools/demo/client.ts";
import { demo } from "../../tools/demo/main.ts";

const noGateway = { url: "http://127.0.0.1:9" };
const page = "page=1&size=30";

describe.each(engineSets())("people work with the demonstration, %s engines", (set) => {
  let instance: Instance;
  let client: DemoClient;
  let table: number;
  const at = (rest = "") => `/api/dataentities/${table}${rest}`;

  beforeAll(async () => {
    instance = await startInstance(set);
    client = demoClient(instance.url);
    await demo(instance.url, () => {}, noGateway);
    table = (await client.find(shopTable("addresses"))).id;
  });
  afterAll(() => instance?.stop());

  /** Names of what a search finds. */
  async function found(family: string, query: string): Promise<string[]> {
    const form = family === "/api/terms" || family === "/api" ? { query, filters: {} } : { query };
    const { search_id } = await client.ask("POST", `${family}/search`, form);
    const { items } = await client.ask("GET", `${family}/search/${search_id}/results?${page}`);
    return items.map((item: Record<string, string>) =>
      item.internal_name ?? item.external_name ?? item.name ?? item.definition
    );
  }

  it("the demonstration shows terms, owners, descriptions, queries and a lookup table", async () => {
    const orders = await client.find(shopTable("orders"));
    const details = await client.ask("GET", `/api/dataentities/${orders.id}`);
    const terms = details.terms.map((one: { term: { name: string } }) => one.term.name);
    expect(terms).toEqual(["Revenue", "Order"]);
    expect(details).toMatchObject({
      internal_name: "Orders of the shop",
      ownership: [{ owner: { name: "Mara Lindqvist" }, title: { name: "Data steward" } }],
    });
    expect(details.internal_description).toContain("[[Shop:Order]]");
    const mart = await client.find(martTable("fct_orders"));
    const examples = await client.ask("GET", `/api/queryexample/dataset/${mart.id}`);
    expect(examples.items).toHaveLength(1);
    expect(await found("/api/referencedata", "carriers")).toEqual(["Carriers by country"]);
  });

  it("may be loaded twice, and then shows everything once", async () => {
    await demo(instance.url, () => {}, noGateway);
    const examples = await client.ask("GET", `/api/queryexample?${page}`);
    expect(examples.page_info.total).toBe(2);
    expect((await client.ask("GET", `/api/terms?${page}`)).page_info.total).toBe(5);
    const { id: orders } = await client.find(shopTable("orders"));
    const versions = await client.ask("GET", `/api/datasets/${orders}/versions?${page}`);
    expect(versions.page_info.total).toBe(2);
    expect(await found("/api/referencedata", "carriers")).toEqual(["Carriers by country"]);
  });

  it("a table is described with a term that is defined later, and is found by both", async () => {
    const description =
      "Where the postilion goes. One row an [[Shop:Postal address]] of a customer.";
    const form = { internal_description: description };
    expect((await client.ask("PUT", at("/description"), form)).terms).toEqual([]);
    const { id } = await client.ask("POST", "/api/terms", {
      name: "Postal address",
      namespace_name: "Shop",
      definition: "Where a letterbox is",
    });
    const linked = await client.ask("GET", `/api/terms/${id}/linked_entities?${page}`);
    expect(linked.items.map((one: { id: number }) => one.id)).toEqual([table]);
    expect((await client.ask("GET", at())).terms).toMatchObject([
      { term: { id, name: "Postal address" }, is_description_link: true },
    ]);
    expect(await found("/api", "postilion")).toEqual(["addresses"]);
    expect(await found("/api/terms", "letterbox")).toEqual(["Postal address"]);
  });

  it("it is tagged, owned and given metadata, and is found by each", async () => {
    await client.ask("PUT", at("/tags"), { tag_name_list: ["geography"] });
    await client.ask("POST", at("/ownership"), { owner_name: "Ines", title_name: "Caretaker" });
    await client.ask("POST", at("/metadata"), [
      { name: "geocoder", type: "STRING", value: "nominatim" },
    ]);
    for (const word of ["geography", "ines", "caretaker", "nominatim"]) {
      expect([word, await found("/api", word)]).toEqual([word, ["addresses"]]);
    }
  });

  it("a file is attached to it in pieces, and comes back whole", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(50_000));
    const upload = await client.ask("POST", at("/files/uploads"), { fileName: "map.bin" });
    const chunks = [bytes.slice(30_000), bytes.slice(0, 30_000)];
    for (const [index, chunk] of [[1, chunks[0]!], [0, chunks[1]!]] as const) {
      const body = new FormData();
      body.set("file", new Blob([chunk]));
      body.set("index", String(index));
      const url = new URL(at(`/files/uploads/${upload.id}/chunks`), instance.url);
      const sent = await fetch(url, { method: "POST", body });
      expect([sent.status, await sent.text()]).toEqual([200, ""]);
    }
    const file = await client.ask("PUT", at(`/files/uploads/${upload.id}`));
    expect(file).toMatchObject({ name: "map.bin" });
    const answer = await instance.send("GET", at(`/files/${file.id}`));
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const { files } = await client.ask("GET", at("/attachments"));
    expect(files).toMatchObject([{ id: file.id, name: "map.bin" }]);
  });

  it("a query is retained for it, and is found", async () => {
    const { id } = await client.ask("POST", "/api/queryexample", {
      definition: "Addresses without a postcode",
      query: "SELECT id FROM addresses WHERE postcode IS NULL",
    });
    await client.ask("POST", at("/queryexample"), { query_example_id: id });
    expect(await found("/api/queryexample", "postcode")).toEqual(["Addresses without a postcode"]);
    const ofTable = await client.ask("GET", `/api/queryexample/dataset/${table}`);
    expect(ofTable.items.map((one: { id: number }) => one.id)).toEqual([id]);
  });

  it("a lookup table is made of a file, and is found", async () => {
    const { table_id } = await client.ask("POST", "/api/referencedata/table", {
      name: "Countries",
      namespace_name: "Geography",
      description: "Codes that parcels bear",
    });
    const lookup = `/api/referencedata/table/${table_id}`;
    await client.ask("POST", `${lookup}/columns`, [
      { name: "code", field_type: "VARCHAR", is_nullable: false, is_unique: true },
      { name: "people", field_type: "INTEGER" },
    ]);
    const csv = "code,people\n" +
      Array.from({ length: 45 }, (_, n) => `c${String(n).padStart(2, "0")},${n}`).join("\n");
    await client.ask("POST", `${lookup}/data/import`, csv);
    const rows = await client.ask("GET", `${lookup}/data?page=1&size=100`);
    expect([rows.items.length, rows.page_info.total]).toEqual([45, 45]);
    const exported = await instance.send("GET", `${lookup}/data?format=csv`);
    expect((await exported.text()).trim().split(/\r?\n/)).toHaveLength(46);
    expect(await found("/api/referencedata", "countries")).toEqual(["Countries"]);
    expect(await found("/api", "countries")).toEqual(["Countries"]);
  });

  it("the quality of everything is told, and of a table with tests", async () => {
    const { test_results, tables_dashboard } = await client.ask("GET", "/api/dataqatests/runs");
    const counted = test_results.flatMap((one: { results: { count: number }[] }) => one.results)
      .reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(counted).toBeGreaterThan(0);
    expect(tables_dashboard.monitored_tables.monitored_tables).toBeGreaterThan(0);
    const report = await client.ask("GET", `/api/datasets/${table}/sla_report`);
    expect(report).toMatchObject({ total: 0, sla_colour: "YELLOW" });
    const badge = await instance.send("GET", `/api/datasets/${table}/sla`);
    expect(badge.headers.get("content-type")).toBe("image/png");
    expect(new Uint8Array(await badge.arrayBuffer()).slice(1, 4)).toEqual(
      new TextEncoder().encode("PNG"),
    );
  });

  it("what people wrote outlives a deletion, a restoration and the next batch of its source", async () => {
    const before = await client.ask("GET", at());
    const status = (name: string) =>
      client.ask("PUT", at("/statuses"), { status: { status: name } });
    await status("DELETED");
    await status("STABLE");
    await demo(instance.url, () => {}, noGateway);
    const after = await client.ask("GET", at());
    for (const property of ["internal_description", "terms", "tags", "ownership"] as const) {
      expect([property, after[property]]).toEqual([property, before[property]]);
    }
    const own = (values: { field: { origin: string } }[]) =>
      values.filter(({ field }) => field.origin === "INTERNAL");
    expect(own(after.metadata_field_values)).toEqual(own(before.metadata_field_values));
    expect((await client.ask("GET", at("/attachments"))).files).toHaveLength(1);
    expect((await client.ask("GET", `/api/queryexample/dataset/${table}`)).items).toHaveLength(1);
  });
});
