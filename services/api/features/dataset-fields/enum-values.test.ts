import { describe, expect, test } from "vitest";
import { fieldsUnderTest } from "#services/api/features/dataset-fields/testing/harness.ts";
import { seedVersion } from "#test/support/seed/seed-dataset.ts";

const { api, database, pathOf, field, events } = fieldsUnderTest();
const post = (id: number, ...items: object[]) => api.post(pathOf(id, "enum_values"), { items });
const list = async (id: number) => (await api.get(pathOf(id, "enum_values"))).json;
interface EnumValueResponse {
  id: number;
  name: string;
  description: string | null;
}
const shown = (json: { items: EnumValueResponse[] }) =>
  json.items.map(({ name, description }) =>
    description === null ? name : `${name}: ${description}`
  );
const external = async (id: number, name: string, description: string | null = null) =>
  (await database.db.query<{ id: number }>(
    `INSERT INTO enum_value (field_id, name, description, origin) VALUES ($1, $2, $3, 'EXTERNAL')
     RETURNING id`,
    [id, name, description],
  ))[0]!.id;

test("201: the form is the whole list; ids stay, also when names change places", async () => {
  const { id, dataset } = await field();
  const first = await post(id, { name: " a ", description: "one" }, { name: "b" }, { name: "c" });
  expect([first.status, shown(first.json), first.json.external])
    .toEqual([201, ["a: one", "b", "c"], false]);
  const [a, b, c] = first.json.items.map((item: EnumValueResponse) => item.id);
  const second = await post(id, { id: a, name: "b" }, { id: b, name: "a" }, { name: "c" }, {
    name: "d",
  });
  expect(second.json.items.slice(0, 3).map((item: EnumValueResponse) => [item.id, item.name]))
    .toEqual([[a, "b"], [b, "a"], [c, "c"]]);
  expect(shown(second.json)).toEqual(["b: one", "a", "c", "d"]);
  expect(await list(id)).toEqual(second.json);
  expect(shown((await post(id, { id: b, name: "a", description: "" })).json)).toEqual(["a"]);
  const names = (state: unknown) =>
    (state as { enum_values: { name: string }[] }).enum_values.map(({ name }) => name);
  expect((await events(dataset)).map((e) => [e.type, names(e.before), names(e.after)])).toEqual(
    [[[], ["a", "b", "c"]], [["a", "b", "c"], ["b", "a", "c", "d"]], [["b", "a", "c", "d"], ["a"]]]
      .map((states) => ["DATASET_FIELD_VALUES_UPDATED", ...states]),
  );
});

test("201: the same list again, no list, and an empty one", async () => {
  const { id, dataset } = await field();
  const { items } = (await post(id, { name: "a" }, { name: "b", description: "two" })).json;
  expect((await post(id, ...items)).json.items).toEqual(items);
  for (const body of [{}, { items: null }]) {
    expect((await api.post(pathOf(id, "enum_values"), body)).json.items).toEqual(items);
  }
  expect(await events(dataset)).toHaveLength(1);
  expect((await post(id)).json).toEqual({ external: false, items: [] });
});

describe("values of a collector", () => {
  test("are shown as such, may be repeated as they are, and stay", async () => {
    const { id } = await field();
    const theirs = await external(id, " raw ", "as sent");
    const before = await list(id);
    expect(before).toEqual({
      external: true,
      items: [{ id: theirs, name: " raw ", description: "as sent", modifiable: false }],
    });
    const { json } = await post(id, ...before.items, { name: "ours" });
    expect(json.items).toMatchObject([before.items[0], { name: "ours", modifiable: true }]);
    expect((await post(id)).json).toEqual(before);
  });

  test.each<[string, (theirs: number) => object, string]>([
    ["another name", (id) => ({ id, name: "other" }), "items[1].id"],
    ["another description", (id) => ({ id, name: "raw", description: "x" }), "items[1].id"],
    ["one of the same name", () => ({ name: "raw" }), "items[1].name"],
  ])("400: %s", async (_, form, named) => {
    const { id, dataset } = await field();
    const theirs = await external(id, "raw");
    const answer = await post(id, { name: "ours" }, form(theirs));
    expect([answer.status, answer.json.details[0].field]).toEqual([400, named]);
    expect(shown(await list(id))).toEqual(["raw"]);
    expect(await events(dataset)).toEqual([]);
  });
});

test.each<[string, unknown, string]>([
  ["an unknown id", [{ id: 999_999, name: "a" }], "items[0].id"],
  ["no name", [{ name: "a" }, {}], "items[1].name"],
  ["a blank name", [{ name: " " }], "items[0].name"],
  ["a name twice", [{ name: "a" }, { name: "b" }, { name: "a " }], "items[2].name"],
  ["NUL", [{ name: "a\0" }], "items[0].name"],
  ["half a surrogate pair", [{ name: "a", description: "\ud800" }], "items[0].description"],
  ["a name of too many bytes", [{ name: "é".repeat(1_001) }], "items[0].name"],
  ["too many", Array.from({ length: 1_001 }, (_, n) => ({ name: `n${n}` })), "items"],
  ["no list", "a", "items"],
])("400 USR001: %s changes nothing", async (_, items, named) => {
  const { id } = await field();
  await post(id, { name: "kept" });
  const answer = await api.post(pathOf(id, "enum_values"), { items });
  expect([answer.status, answer.json.code, answer.json.details[0].field])
    .toEqual([400, "USR001", named]);
  expect(shown(await list(id))).toEqual(["kept"]);
});

test("400: the id of another field's value, and an id twice", async () => {
  const [{ id }, other] = [await field(), await field()];
  const [theirs] = (await post(other.id, { name: "a" })).json.items;
  const [mine] = (await post(id, { name: "a" })).json.items;
  for (const items of [[theirs], [mine, { ...mine, name: "b" }]]) {
    const answer = await post(id, ...items);
    expect([answer.status, answer.json.details[0].field])
      .toEqual([400, `items[${items.length - 1}].id`]);
  }
  expect(shown(await list(other.id))).toEqual(["a"]);
});

test("404 for an unknown field; one of an older version is read, and not written", async () => {
  const { id, dataset } = await field();
  await post(id, { name: "then" });
  await seedVersion(database.db, dataset, 2, []);
  expect(shown(await list(id))).toEqual(["then"]);
  expect((await post(id, { name: "now" })).json.details[0].field).toBe("dataset_field_id");
  for (const answer of [await post(999_999), await api.get(pathOf(999_999, "enum_values"))]) {
    expect(answer.status).toBe(404);
  }
  const { id: hollow } = await field({ hollow: true });
  expect((await api.get(pathOf(hollow, "enum_values"))).status).toBe(404);
});

test("two lists at once leave one of them", async () => {
  const { id } = await field();
  for (let round = 0; round < 5; round++) {
    const lists = [["a", "b"], ["b", "c"]];
    const answers = await Promise.all(
      lists.map((names) => post(id, ...names.map((name) => ({ name })))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(lists).toContainEqual(shown(await list(id)).toSorted());
  }
});
