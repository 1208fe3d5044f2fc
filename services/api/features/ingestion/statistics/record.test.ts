import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";
import { ingestionRoutes } from "../routes.ts";

let test: TestDatabase;
let ingestion: TestIngestion;

beforeAll(async () => {
  test = await testDatabase();
  ingestion = openTestIngestion(test, {
    open: (context) => ingestionRoutes(context),
  });
});
afterAll(async () => {
  await ingestion.close();
  await test.drop();
});

const one = async (sql: string, values: unknown[] = []) => (await test.db.query(sql, values))[0];

describe("POST /ingestion/entities/datasets/stats", () => {
  let fieldId: unknown;
  beforeAll(async () => {
    fieldId = (await one(
      `WITH d AS (INSERT INTO data_entity (catrn, type_id, class_ids, external_name)
              VALUES ('//d', 1, '{1}', 'd') RETURNING id),
            f AS (INSERT INTO dataset_field (dataset_id, catrn, name, type, is_nullable, hash)
              SELECT id, x, x, 'TYPE_INTEGER', true, '' FROM d, unnest('{f/1,f/2}'::text[]) x
              RETURNING id, catrn),
            v AS (INSERT INTO dataset_version (dataset_id, version, hash, field_ids)
              SELECT d.id, 1, 'h', array_agg(f.id) FROM d, f GROUP BY d.id)
       SELECT id FROM f WHERE catrn = 'f/1'`,
    ))!.id;
  });
  const send = (body: unknown) => ingestion.api.post("/ingestion/entities/datasets/stats", body);
  const read = () =>
    one(
      `SELECT f.stats::text AS stats, array(SELECT t.name FROM field_tag x JOIN tag t ON t.id = x.tag_id
              WHERE x.field_id = f.id AND origin = 'EXTERNAL_STATISTICS' ORDER BY 1) AS tags
       FROM dataset_field f WHERE id = $1`,
      [fieldId],
    );
  const stats = (high: string, tags: string[]) =>
    `{"items":[{"dataset_catrn":"//d","fields":{"f/1":{"tags":${
      JSON.stringify(tags.map((name) => ({ name })))
    },"integer_stats":{"low_value":1,"high_value":${high},"nulls_count":0,"unique_count":2}}}}]}`;

  it("updates fields in place with exact integers, and replaces their tags", async () => {
    const answer = await send(stats("9007199254740993", ["a", "b"]));
    expect([answer.status, answer.text]).toEqual([201, ""]);
    expect(await read()).toMatchObject({ tags: ["a", "b"] });
    expect((await read())!.stats).toContain('"high_value": 9007199254740993');
    expect((await send(stats("5", ["b", "c"]))).status).toBe(201);
    expect(await read()).toMatchObject({ tags: ["b", "c"] });
    expect(await one("SELECT count(*) FROM dataset_version")).toEqual({ count: 1 });
  });

  it("records known fields, and names the others", async () => {
    const complex_stats = { nulls_count: 7, unique_count: 8 };
    const many = Array.from({ length: 150 }, (_, n) => [`g/${n}`, {}]);
    const fields = { "f/9": {}, "f/1": { complex_stats }, ...Object.fromEntries(many) };
    const answer = await send({ items: [{ dataset_catrn: "//d", fields }] });
    expect([answer.status, answer.headers.get("x-ingestion-refused")]).toEqual([201, "151"]);
    expect([answer.json.refused, answer.json.details.length]).toEqual([151, 100]);
    expect(answer.json.details[0]).toEqual({
      field: 'items[0].fields["f/9"]',
      message: "field f/9 is not in the latest structure of //d",
    });
    expect(JSON.parse((await read())!.stats as string)).toEqual({ complex_stats });
  });

  it("answers 404 where no field or not each dataset is known, and changes nothing", async () => {
    const before = await read();
    const fields = { "f/8": {}, "f/9": {} };
    const unknownField = await send({ items: [{ dataset_catrn: "//d", fields }] });
    expect([unknownField.status, unknownField.json.details[0].field]).toEqual([
      404,
      'items[0].fields["f/8"]',
    ]);
    const items = [{ dataset_catrn: "//d", fields: { "f/1": {} } }, {
      dataset_catrn: "//no",
      fields: {},
    }];
    const unknownDataset = await send({ items });
    expect([unknownDataset.status, unknownDataset.json.details[0].field]).toEqual([
      404,
      "items[1].dataset_catrn",
    ]);
    expect(await read()).toEqual(before);
  });
});
