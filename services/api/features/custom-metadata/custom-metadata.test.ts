import { describe, expect, test } from "vitest";
import { customMetadataRoutes } from "#services/api/features/custom-metadata/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(customMetadataRoutes);
const pathOf = (id: number) => `/api/dataentities/${id}/metadata`;
const give = (id: number, ...values: object[]) => api.post(pathOf(id), values);
const text = (name: string, value = "v") => ({ name, type: "STRING", value });
const made = async (id: number, value: object): Promise<number> =>
  (await give(id, value)).json.items[0].field.id;
const stored = async (id: number) =>
  (await database.db.query<{ t: string }>(
    `SELECT concat_ws(' ', f.name, f.type, f.origin, v.value) AS t
       FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
      WHERE v.entity_id = $1 ORDER BY 1`,
    [id],
  )).map(({ t }) => t);
const found = async (word: string) =>
  (await database.db.query<{ id: number }>(
    "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1)",
    [word],
  )).map(({ id }) => id);
const events = (id: number) =>
  database.db.query(
    `SELECT event_type AS type, jsonb_path_query_array(old_state, '$.custom_metadata[*].value') AS before,
            jsonb_path_query_array(new_state, '$.custom_metadata[*].value') AS after
       FROM activity WHERE entity_id = $1 ORDER BY id`,
    [id],
  );
/** A value of a collector; the id of its field. */
async function external(id: number, name: string): Promise<number> {
  const [field] = await database.db.query<{ id: number }>(
    "INSERT INTO metadata_field (name, type, origin) VALUES ($1, 'STRING', 'EXTERNAL') RETURNING id",
    [name],
  );
  await database.db.query("INSERT INTO metadata_value VALUES ($1, $2, 'theirs')", [id, field!.id]);
  return field!.id;
}

/** Values that are of each type, and texts that are not. */
const types: [string, string[], string[]][] = [
  ["INTEGER", ["0", "-17", "123456789012345678901234567890"], ["1.0", "a", "1e3", "0x1"]],
  ["FLOAT", ["1", "-1.5", "2.5e-3"], ["1.", "NaN", "1e999", "1,5"]],
  ["BOOLEAN", ["true", "false"], ["yes", "TRUE", "1"]],
  ["DATETIME", ["2024-01-31T12:00:00Z", "2024-01-31 12:00"], ["2024-01-31", "soon"]],
  ["ARRAY", ['["a", 1]', "[]"], ['{"a": 1}', "a, b", "[1"]],
  ["JSON", ['{"a": [1]}', "[1]"], ["1", '"a"', "{a: 1}"]],
  ["STRING", ["anything", "1", '{"a"'], []],
];

describe("createDataEntityMetadataFieldValue", () => {
  test("200: in the order of the form, found at once, told; a field of a name has a type", async () => {
    const id = await seedEntity(database.db);
    const level = { name: "level", type: "INTEGER", value: "3", origin: "INTERNAL" };
    const answer = await give(id, level, text(" level ", "serengeti"));
    expect(answer.status).toBe(200);
    expect(
      answer.json.items.map((
        { field, value }: { field: { type: string; origin: string }; value: string },
      ) => [field.type, field.origin, value]),
    ).toEqual([["INTEGER", "INTERNAL", "3"], ["STRING", "INTERNAL", "serengeti"]]);
    expect(await found("serengeti")).toEqual([id]);
    expect(await events(id)).toEqual([
      { type: "CUSTOM_METADATA_CREATED", before: [], after: ["3", "serengeti"] },
    ]);
    expect((await give(id)).json).toEqual({ items: [] });
  });

  test("entities share the fields of people, and none with collectors", async () => {
    const [one, other] = [await seedEntity(database.db), await seedEntity(database.db)];
    const theirs = await external(one, "shared");
    const field = await made(one, text("shared"));
    expect(field).not.toBe(theirs);
    expect(await made(other, text("shared"))).toBe(field);
    expect(await stored(one)).toEqual([
      "shared STRING EXTERNAL theirs",
      "shared STRING INTERNAL v",
    ]);
  });

  test.each(types)("%s", async (type, sound, unsound) => {
    const id = await seedEntity(database.db);
    for (const [n, value] of sound.entries()) {
      const answer = await give(id, { name: `n${n}`, type, value });
      expect([value, answer.status]).toEqual([value, 200]);
    }
    for (const value of unsound) {
      const answer = await give(id, text("first"), { name: "n", type, value });
      expect([value, answer.status, answer.json.details?.[0].field])
        .toEqual([value, 400, "[1].value"]);
    }
    expect(await stored(id)).toHaveLength(sound.length);
  });

  test.each<[string, unknown, string]>([
    ["no list", { name: "a", type: "STRING", value: "b" }, "body"],
    ["an unknown type", [{ name: "a", type: "TEXT", value: "b" }], "[0].type"],
    ["no value", [{ name: "a", type: "STRING" }], "[0].value"],
    ["a blank value", [text("a", " ")], "[0].value"],
    ["a blank name", [text(" ")], "[0].name"],
    ["too long a name", [text("x".repeat(256))], "[0].name"],
    ["too long a value", [text("a", "x".repeat(100_001))], "[0].value"],
    ["NUL", [text("a", "a\0")], "[0].value"],
    ["half a surrogate pair", [text("\udc00")], "[0].name"],
    ["a collector's origin", [{ ...text("a"), origin: "EXTERNAL" }], "[0].origin"],
    ["too many", Array.from({ length: 101 }, (_, n) => text(`n${n}`)), "body"],
    ["a field twice", [text("a"), text("b"), text("a ")], "[2].name"],
  ])("400: %s changes nothing", async (_, body, field) => {
    const id = await seedEntity(database.db);
    const answer = await api.post(pathOf(id), body);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, field]);
    expect(await stored(id)).toEqual([]);
  });

  test("400 USR003: a value of such a field is there, by itself or by somebody at once", async () => {
    const id = await seedEntity(database.db);
    await give(id, text("a"));
    const repeated = await give(id, text("b"), text("a"));
    expect([repeated.status, repeated.json.code, repeated.json.details[0].field])
      .toEqual([400, "USR003", "[1].name"]);
    const answers = await Promise.all(
      ["1", "2", "3"].map((value) => give(id, text("race", value))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await stored(id)).toHaveLength(2);
  });

  test("400: no entity has more than 1,000 values of people", async () => {
    const id = await seedEntity(database.db);
    await database.db.query(
      `WITH f AS (INSERT INTO metadata_field (name, type, origin)
         SELECT 'many ' || n, 'STRING', 'INTERNAL' FROM generate_series(1, 999) n RETURNING id)
       INSERT INTO metadata_value SELECT $1, id, 'v' FROM f`,
      [id],
    );
    expect((await give(id, text("one"), text("too many"))).status).toBe(400);
    expect((await give(id, text("one"))).status).toBe(200);
    expect((await give(id, text("too many"))).status).toBe(400);
  });

  test("404 for an unknown and for a hollow entity", async () => {
    for (const id of [999_999, await seedEntity(database.db, { hollow: true })]) {
      expect((await give(id, text("a"))).status).toBe(404);
    }
  });
});

describe.each(["put", "delete"] as const)("%s of a value", (method) => {
  const change = (id: number, field: number) =>
    method === "put"
      ? api.put(`${pathOf(id)}/${field}`, { value: "new" })
      : api.delete(`${pathOf(id)}/${field}`);

  test("404: unknown entity or field, another entity's field", async () => {
    const [id, other] = [await seedEntity(database.db), await seedEntity(database.db)];
    const field = await made(other, text("others"));
    for (const [entity, of] of [[id, field], [id, 999_999], [999_999, field]] as const) {
      expect((await change(entity, of)).status).toBe(404);
    }
    expect(await stored(other)).toEqual(["others STRING INTERNAL v"]);
  });

  test("400: a collector's value stays as it is", async () => {
    const id = await seedEntity(database.db);
    const answer = await change(id, await external(id, `theirs ${method}`));
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "metadata_field_id"]);
    expect(await stored(id)).toEqual([`theirs ${method} STRING EXTERNAL theirs`]);
    expect(await events(id)).toEqual([]);
  });
});

describe("upsertDataEntityMetadataFieldValue", () => {
  test("200: found by the new value, told once", async () => {
    const id = await seedEntity(database.db);
    const field = await made(id, text("park", "tsavo"));
    for (let time = 0; time < 2; time++) {
      const answer = await api.put(`${pathOf(id)}/${field}`, { value: " ruaha " });
      expect([answer.status, answer.json]).toEqual([200, {
        field: { id: field, name: "park", type: "STRING", origin: "INTERNAL" },
        value: "ruaha",
      }]);
    }
    expect([await found("tsavo"), await found("ruaha")]).toEqual([[], [id]]);
    expect((await events(id)).slice(1)).toEqual([
      { type: "CUSTOM_METADATA_UPDATED", before: ["tsavo"], after: ["ruaha"] },
    ]);
  });

  test.each<[string, unknown, string]>([
    ["another type's value", { value: "x" }, "value"],
    ["nothing", {}, "value"],
    ["a collector's origin", { value: "2", origin: "EXTERNAL" }, "origin"],
  ])("400: %s changes nothing", async (_, body, named) => {
    const id = await seedEntity(database.db);
    const field = await made(id, { name: "level", type: "INTEGER", value: "1" });
    const answer = await api.put(`${pathOf(id)}/${field}`, body);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, named]);
    expect(await stored(id)).toEqual(["level INTEGER INTERNAL 1"]);
  });
});

test("deleteDataEntityMetadataFieldValue 204: found no more, told", async () => {
  const id = await seedEntity(database.db);
  const field = await made(id, text("lake", "natron"));
  expect((await api.delete(`${pathOf(id)}/${field}`)).status).toBe(204);
  expect([await stored(id), await found("natron")]).toEqual([[], []]);
  expect((await events(id)).slice(1)).toEqual([
    { type: "CUSTOM_METADATA_DELETED", before: ["natron"], after: [] },
  ]);
  expect((await api.delete(`${pathOf(id)}/${field}`)).status).toBe(404);
});

test("getMetadataFieldList 200: fields of people that are in use, by name", async () => {
  const id = await seedEntity(database.db);
  await external(id, "list external");
  await give(id, text("list b"), text("LIST a"), { name: "list b", type: "JSON", value: "{}" });
  const gone = await made(id, text("list gone"));
  await api.delete(`${pathOf(id)}/${gone}`);
  const list = async (query: string) =>
    (await api.get(`/api/metadata/fields?query=${encodeURIComponent(query)}`)).json;
  const { items, page_info } = await list("list");
  expect(items.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`))
    .toEqual(["LIST a STRING", "list b JSON", "list b STRING"]);
  expect(page_info).toEqual({ total: 3, hasNext: false });
  expect((await list("%")).items).toEqual([]);
  expect((await api.get("/api/metadata/fields")).json.page_info.total).toBeGreaterThan(2);
  expect((await api.get("/api/metadata/fields?query=%00")).status).toBe(400);
});
