import { describe, expect, test } from "vitest";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { DatasetFieldList } from "#contract/catalogue/linked-columns.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, make } = glossaryUnderTest();

const list = async (term: number, what: string, query = "") =>
  (await api.get(`/api/terms/${term}/linked_${what}?page=1&size=50${query}`)).json;
const mention = (entity: number, namespace: string, name: string) =>
  database.db.query("INSERT INTO entity_mention VALUES ($1, $2, $3)", [entity, namespace, name]);

describe("getTermLinkedEntities", () => {
  test("200: live, listed ones, linked by hand or by mention, each once; by name and class", async () => {
    const { db } = database;
    const term = await make("of entities");
    const plain = await seed.seedEntity(db, { name: "orders" });
    const job = await seed.seedEntity(db, {
      name: "loader",
      internalName: "ORDER run",
      type: "JOB",
    });
    const both = await seed.seedEntity(db, { name: "customers" });
    const deleted = await seed.seedEntity(db, { name: "order old", status: 5 });
    const excluded = await seed.seedEntity(db, { name: "order part", excluded: true });
    for (const id of [plain, both, deleted, excluded]) {
      await db.query("INSERT INTO entity_term VALUES ($1, $2)", [id, term]);
    }
    for (const id of [job, both]) await mention(id, "glossary", "of entities");
    const ids = async (query = "") =>
      DataEntityList.parse(await list(term, "entities", query)).items.map(({ id }) => id);
    expect(await ids()).toEqual([plain, job, both]);
    expect(await ids("&query=Order")).toEqual([plain, job]);
    expect(await ids("&query=order&entity_class_id=2")).toEqual([job]);
    expect(await ids("&entity_class_id=7")).toEqual([]);
    expect(await ids("&query=%25")).toEqual([]);
    expect((await api.get(`/api/terms/${term}`)).json.entities_using_count).toBe(3);
    await db.query("UPDATE data_entity SET status = 1 WHERE id = $1", [deleted]);
    expect(await ids("&query=old")).toEqual([deleted]);
  });

  test("200: pages of more than 1,000, every entity on one of them", async () => {
    const { db } = database;
    const term = await make("everywhere");
    await db.query(
      `WITH e AS (INSERT INTO data_entity (catrn, external_name, type_id, class_ids)
         SELECT '//everywhere/' || n, 'e' || n, 1, '{1}' FROM generate_series(1, 1203) n RETURNING id)
       INSERT INTO entity_term SELECT id, $1 FROM e`,
      [term],
    );
    const page = (n: number, size: number) =>
      api.get(`/api/terms/${term}/linked_entities?page=${n}&size=${size}`);
    const pages = [await page(1, 500), await page(2, 500), await page(3, 500)];
    expect(pages.map(({ json }) => json.page_info)).toEqual([
      { total: 1_203, hasNext: true },
      { total: 1_203, hasNext: true },
      { total: 1_203, hasNext: false },
    ]);
    const ids = pages.flatMap(({ json }) => json.items.map(({ id }: { id: number }) => id));
    expect(new Set(ids).size).toBe(1_203);
    expect((await api.get(`/api/terms/${term}`)).json.entities_using_count).toBe(1_203);
  });
});

describe("getTermLinkedColumns", () => {
  test("200: columns of newest structures, each once, with their dataset", async () => {
    const { db } = database;
    const term = await make("of columns");
    const sourceId = await seed.seedSource(db, { name: "shop", namespace: "sales" });
    const table = await seed.seedEntity(db, { name: "orders", sourceId });
    await seed.seedOwnership(db, table, "Ann", "Cook");
    const column = (name: string, more = {}) =>
      dataset.seedField(db, table, { catrn: `//f/${name}/${crypto.randomUUID()}`, name, ...more });
    const old = await column("zip old");
    const parent = await dataset.seedField(db, table, { catrn: "//f/address", name: "address" });
    const zip = await column("zip", { parent: "//f/address", primaryKey: true });
    const area = await column("area");
    await dataset.seedVersion(db, table, 1, [old, zip]);
    await dataset.seedVersion(db, table, 2, [parent, zip, area]);
    const gone = await seed.seedEntity(db, { status: 5 });
    const lost = await dataset.seedField(db, gone, { catrn: "//f/lost" });
    await dataset.seedVersion(db, gone, 1, [lost]);
    for (const id of [old, zip, lost]) {
      await db.query("INSERT INTO field_term VALUES ($1, $2)", [id, term]);
    }
    for (const id of [zip, area]) {
      await db.query("INSERT INTO field_mention VALUES ($1, 'glossary', 'of columns')", [id]);
    }
    const answer = DatasetFieldList.parse(await list(term, "columns"));
    expect(answer.page_info).toEqual({ total: 2, hasNext: false });
    expect(answer.items).toMatchObject([{ id: area, parent_field_id: null }, {
      id: zip,
      parent_field_id: parent,
      is_primary_key: true,
      dataEntityName: "orders",
      dataEntityId: table,
      ownership: [{ owner: { name: "Ann" }, title: { name: "Cook" } }],
      data_source: { name: "shop", namespace: { name: "sales" }, token: null },
    }]);
    expect((await list(term, "columns", "&query=ZI")).items).toMatchObject([{ id: zip }]);
    expect((await api.get(`/api/terms/${term}/linked_columns?page=2&size=1`)).json)
      .toMatchObject({ items: [{ id: zip }], page_info: { total: 2, hasNext: false } });
    expect((await api.get(`/api/terms/${term}`)).json.columns_using_count).toBe(2);
  });
});

test.each(["entities", "columns", "terms"])(
  "linked_%s 404: unknown term; 400: no page",
  async (what) => {
    expect((await api.get(`/api/terms/999999/linked_${what}?page=1&size=9`)).status).toBe(404);
    expect((await api.get(`/api/terms/${await make(what)}/linked_${what}`)).status).toBe(400);
  },
);
