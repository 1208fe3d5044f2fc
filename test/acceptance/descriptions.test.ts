import { expect, it } from "vitest";
import { journey } from "#test/acceptance/client.ts";

const source = "//snowflake/account/words";
const orders = `${source}/orders`;
const table = (more: object) => ({
  catrn: orders,
  name: "orders",
  type: "TABLE",
  dataset: { rows_number: null, field_list: [] },
  ...more,
});
const extension = (metadata: object) => [
  { schema_url: "https://example/schema.json", metadata },
  { schema_url: "https://example/second.json", metadata: { ignored: true } },
];

journey("descriptions, metadata and tags", (client) => {
  const details = async () => await client().read(`/api/dataentities/${await client().id(orders)}`);
  const values = async () => {
    const list: { field: { name: string; type: string; origin: string }; value: string }[] =
      (await details()).metadata_field_values;
    expect(list.every((v) => v.field.origin === "EXTERNAL")).toBe(true);
    return Object.fromEntries(list.map((v) => [v.field.name, `${v.field.type} ${v.value}`]));
  };

  it("infers the type of each metadata value", async () => {
    await client().register(source);
    const metadata = JSON.stringify({
      text: "plain",
      moment: "2024-05-01T10:00:00Z",
      document: '{"a":1}',
      whole: 42,
      part: 1.5,
      flag: true,
      list: [1, 2],
      map: { a: { b: null } },
      nothing: null,
    }).replace("42", '42,"huge":123456789012345678901234567890,"long":9007199254740993');
    const batch = JSON.stringify({ data_source_catrn: source, items: [table({ metadata: [] })] })
      .replace('"metadata":[]', `"metadata":[{"schema_url":"https://x","metadata":${metadata}}]`);
    expect((await client().post("/ingestion/entities", batch)).status).toBe(200);
    expect(await values()).toEqual({
      text: "STRING plain",
      moment: "DATETIME 2024-05-01T10:00:00Z",
      document: 'JSON {"a":1}',
      whole: "INTEGER 42",
      huge: "INTEGER 123456789012345678901234567890",
      long: "INTEGER 9007199254740993",
      part: "FLOAT 1.5",
      flag: "BOOLEAN true",
      list: "ARRAY [1,2]",
      map: 'JSON {"a":{"b":null}}',
    });
  });

  it("reads the first extension only and drops values that are gone", async () => {
    await client().ingest(source, table({ metadata: extension({ whole: "now text" }) }));
    expect(await values()).toEqual({ whole: "STRING now text" });
    await client().ingest(source, table({ metadata: null }));
    expect(await values()).toEqual({});
  });

  it("replaces external tags by the payload's set", async () => {
    const tags = async () =>
      (await details()).tags.map((t: { name: string; external: boolean }) => [t.name, t.external])
        .sort();
    await client().ingest(
      source,
      table({ tags: [{ name: "pii" }, { name: "été" }, { name: "pii" }] }),
    );
    expect(await tags()).toEqual([["pii", true], ["été", true]]);
    await client().ingest(source, table({ tags: [{ name: "gold" }] }));
    expect(await tags()).toEqual([["gold", true]]);
    await client().ingest(source, table({ tags: [] }));
    expect(await tags()).toEqual([]);
  });

  it("keeps description, times and rows as sent, times in UTC", async () => {
    await client().ingest(
      source,
      table({
        description: 'Línea\n"one" <b>',
        version: "1.2",
        owner: "//owner/ann",
        created_at: "2024-02-29T23:30:00.1239-01:00",
        updated_at: "2024-03-01T00:00:00Z",
        dataset: { rows_number: 12, field_list: [] },
      }),
    );
    const now = await details();
    expect(now).toMatchObject({
      external_description: 'Línea\n"one" <b>',
      internal_description: null,
      source_created_at: "2024-03-01T00:30:00.123Z",
      source_updated_at: "2024-03-01T00:00:00.000Z",
      stats: { rows_count: 12, fields_count: 0, consumers_count: 0 },
      is_stale: false,
      manually_created: false,
      ownership: [],
    });
    expect(now.data_source).toMatchObject({ catrn: source });
  });

  it("keeps the exact digits of large counts", async () => {
    const items = [table({ dataset: { rows_number: 0, field_list: [] } })];
    const body = JSON.stringify({ data_source_catrn: source, items })
      .replace('"rows_number":0', '"rows_number":9223372036854775807');
    expect((await client().post("/ingestion/entities", body)).status).toBe(200);
    const { text } = await client().get(`/api/dataentities/${await client().id(orders)}`);
    expect(text).toMatch(/"rows_count"\s*:\s*9223372036854775807\b/);
  });

  it("counts views", async () => {
    const before = (await details()).view_count;
    await expect.poll(async () => (await details()).view_count).toBeGreaterThan(before);
    const popular = await client().read("/api/dataentities/popular", { page: 1, size: 5 });
    expect(popular[0].catrn).toBe(orders);
  });

  it("is re-homed to the source that posts it last", async () => {
    const other = "//snowflake/account/other";
    await client().register(other, "Other");
    const id = await client().id(orders);
    await client().ingest(other, table({ name: "orders (moved)", type: "FILE" }));
    expect(await client().id(orders)).toBe(id);
    expect(await details()).toMatchObject({
      external_name: "orders (moved)",
      type: { id: 2, name: "FILE" },
      data_source: { catrn: other, name: "Other" },
    });
  });

  it("never removes what a batch leaves out", async () => {
    await client().ingest(source, { ...table({}), catrn: `${source}/second`, name: "second" });
    expect(await client().find(orders)).toBeDefined();
  });
});
