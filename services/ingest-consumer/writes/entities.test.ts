import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directRecord, field, type Harness, harness, job, table } from "../testing/harness.ts";

let at: Harness;
beforeAll(async () => void (at = await harness()));
afterAll(() => at.drop());

const columns = (row: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

describe("insertEntities", () => {
  it("stores the fields of an entity, its classes by the parts it carries", async () => {
    await at.post([{
      ...table("//e/view", {
        name: "orders",
        description: "all orders",
        created_at: "2024-01-31T12:00:00+02:00",
        dataset: { parent_catrn: null, rows_number: 12, field_list: [field("//e/view/f")] },
      }),
      type: "VIEW",
      data_transformer: { inputs: [], outputs: [], sql: "select 1" },
    }]);
    const row = await at.entity("//e/view");
    expect(row).toMatchObject({
      external_name: "orders",
      external_description: "all orders",
      class_ids: [1, 2],
      type_id: 11,
      hollow: false,
      excluded_from_search: false,
      status: 1,
      source_created_at: new Date("2024-01-31T10:00:00Z"),
      attributes: {
        dataset: { rows_number: 12 },
        data_transformer: { inputs: [], outputs: [], sql: "select 1" },
      },
    });
    expect((row.attributes as { dataset: object }).dataset).not.toHaveProperty("field_list");
  });

  it("keeps every digit of an integer beyond 2^53", async () => {
    const text = JSON.stringify(table("//e/big", { dataset: { rows_number: 1, field_list: [] } }))
      .replace('"rows_number":1', '"rows_number":9007199254740993');
    await at.pipeline.process(
      directRecord(`{"data_source_catrn":"//warehouse","items":[${text}]}`),
    );
    const [row] = await at.rows(
      "SELECT attributes #>> '{dataset,rows_number}' AS n FROM data_entity WHERE catrn = '//e/big'",
    );
    expect(row).toEqual({ n: "9007199254740993" });
  });

  it("fills a hollow entity and keeps its id", async () => {
    await at.post([job("//e/j", ["//e/hollow"], [])]);
    const hollow = await at.entity("//e/hollow");
    expect(hollow).toMatchObject({ hollow: true, excluded_from_search: true, type_id: null });
    await at.post([table("//e/hollow", { description: "now real" })]);
    expect(await at.entity("//e/hollow")).toMatchObject({
      id: hollow.id,
      hollow: false,
      excluded_from_search: false,
      type_id: 1,
      external_description: "now real",
    });
    const events = await at.rows("SELECT event_type FROM activity WHERE entity_id = $1", hollow.id);
    expect(events).toEqual([{ event_type: "DATA_ENTITY_CREATED" }]);
  });
});

describe("updateEntities", () => {
  it("overwrites what the sender gave and keeps what people gave", async () => {
    await at.post([table("//e/kept", { name: "old", description: "old" })]);
    const { id } = await at.entity("//e/kept");
    await at.rows(
      `UPDATE data_entity SET internal_name = 'mine', internal_description = 'my words', status = 3,
         view_count = 7 WHERE id = $1`,
      id,
    );
    await at.post([table("//e/kept", { name: "new" })]);
    expect(await at.entity("//e/kept")).toMatchObject({
      id,
      external_name: "new",
      external_description: null,
      internal_name: "mine",
      internal_description: "my words",
      status: 3,
      view_count: 7,
    });
  });

  it("writes nothing but the time of an unchanged entity", async () => {
    const item = table("//e/same", { description: "x", tags: [{ name: "t" }] });
    await at.post([item], { receivedAt: 1_000 });
    const before = await at.entity("//e/same");
    await at.post([{ ...item, owner: null }], { receivedAt: 2_000, batch: "second" });
    const after = await at.entity("//e/same");
    expect(after).toMatchObject({ batch: "second", received_at: new Date(2_000) });
    const names = ["updated_at", "content_hash", "attributes", "id"];
    expect(columns(after, ...names)).toEqual(columns(before, ...names));
  });

  it("re-homes an entity to the source that posts it, though its content is the same", async () => {
    await at.post([table("//e/home")]);
    const before = await at.entity("//e/home");
    await at.post([table("//e/home")], { source: "//other" });
    const after = await at.entity("//e/home");
    expect(after.id).toBe(before.id);
    expect(after.data_source_id).not.toBe(before.data_source_id);
  });

  it("never deletes what a later batch does not name", async () => {
    await at.post([table("//e/one"), table("//e/two")]);
    await at.post([table("//e/one", { description: "alone" })]);
    expect(await at.entity("//e/two")).toMatchObject({ status: 1, hollow: false });
  });

  it("leaves out of search a group that has a parent group", async () => {
    const group = (parent?: string) => ({
      catrn: "//e/g",
      name: "g",
      type: "ML_EXPERIMENT",
      data_entity_group: { entities_list: [], group_catrn: parent },
    });
    await at.post([group("//e/parent")]);
    const { id } = await at.entity("//e/g");
    const documents = () => at.rows("SELECT 1 FROM search_document WHERE entity_id = $1", id);
    expect(await at.entity("//e/g")).toMatchObject({ excluded_from_search: true });
    expect(await documents()).toHaveLength(0);
    await at.post([group()]);
    expect(await at.entity("//e/g")).toMatchObject({ excluded_from_search: false });
    expect(await documents()).toHaveLength(1);
  });
});
