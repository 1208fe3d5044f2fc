import { describe, expect, test } from "vitest";
import { fieldsUnderTest } from "#services/api/features/dataset-fields/testing/harness.ts";
import { seedField, seedFieldTag, seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";

const { api, database, pathOf, field, found, events } = fieldsUnderTest();
const put = (id: number, member: string, body: unknown) => api.put(pathOf(id, member), body);
const type = { type: "TYPE_STRING", logical_type: null, is_nullable: true };

describe("updateDatasetFieldDescription", () => {
  test("200: kept, found at once, told, with the terms that it mentions", async () => {
    const { id, dataset } = await field();
    await seedTerm(database.db, "sales", "revenue");
    const text = "[[sales:revenue]] of Ngorongoro";
    const answer = await put(id, "description", { description: ` ${text}\n` });
    expect([answer.status, answer.json.description]).toEqual([200, text]);
    expect(answer.json.terms).toMatchObject([
      { term: { name: "revenue" }, is_description_link: true },
    ]);
    expect(await found("ngorongoro")).toEqual([dataset]);
    expect((await put(id, "description", {})).json.description).toBe(text);
    expect((await put(id, "description", { description: null })).json)
      .toEqual({ description: "", terms: [] });
    expect(await found("ngorongoro")).toEqual([]);
    const state = { id, name: String(dataset), type };
    expect(await events(dataset)).toEqual([{
      type: "DATASET_FIELD_DESCRIPTION_UPDATED",
      before: { ...state, description: null },
      after: { ...state, description: text },
    }, {
      type: "DATASET_FIELD_DESCRIPTION_UPDATED",
      before: { ...state, description: text },
      after: { ...state, description: null },
    }]);
  });
});

test("updateDatasetFieldInternalName 200: kept, found at once, told; blank takes it", async () => {
  const { id, dataset } = await field();
  expect((await put(id, "name", { internal_name: "Tarangire" })).json)
    .toEqual({ internal_name: "Tarangire" });
  expect(await found("tarangire")).toEqual([dataset]);
  expect((await put(id, "name", { internal_name: " " })).json).toEqual({ internal_name: "" });
  expect((await events(dataset)).map((event) => [event.type, event.before, event.after])).toEqual(
    [[null, "Tarangire"], ["Tarangire", null]].map(([before, after]) => [
      "DATASET_FIELD_INTERNAL_NAME_UPDATED",
      { id, name: String(dataset), type, internal_name: before },
      { id, name: String(dataset), type, internal_name: after },
    ]),
  );
});

describe("updateDatasetFieldTags", () => {
  const stored = async (id: number) =>
    (await database.db.query<{ t: string }>(
      `SELECT t.name || ' ' || x.origin AS t FROM field_tag x JOIN tag t ON t.id = x.tag_id
        WHERE x.field_id = $1 ORDER BY 1`,
      [id],
    )).map(({ t }) => t);

  test("200: what is set by hand becomes the list; tags of collectors stay theirs", async () => {
    const { id, dataset } = await field();
    await seedFieldTag(database.db, id, "theirs", "EXTERNAL");
    await seedFieldTag(database.db, id, "measured", "EXTERNAL_STATISTICS");
    await seedFieldTag(database.db, id, "old", "INTERNAL");
    const answer = await put(id, "tags", { tags: [" mikumi ", "theirs", "measured", "mikumi"] });
    expect(answer.json.map((tag: { name: string; external: boolean }) => [tag.name, tag.external]))
      .toEqual([["measured", true], ["mikumi", false], ["theirs", true]]);
    const theirs = ["measured EXTERNAL_STATISTICS", "theirs EXTERNAL"];
    expect(await stored(id)).toEqual([theirs[0], "mikumi INTERNAL", theirs[1]]);
    expect(await found("mikumi")).toEqual([dataset]);
    expect((await put(id, "tags", {})).json).toEqual(answer.json);
    expect((await put(id, "tags", { tags: null })).json).toEqual(answer.json);
    await put(id, "tags", { tags: [] });
    expect(await stored(id)).toEqual(theirs);
    const tagsOf = (state: unknown) =>
      (state as { tags: { name: string }[] }).tags.map(({ name }) => name);
    expect((await events(dataset)).map((e) => [e.type, tagsOf(e.before), tagsOf(e.after)])).toEqual(
      [
        ["DATASET_FIELD_TAGS_UPDATED", ["measured", "old", "theirs"], [
          "measured",
          "mikumi",
          "theirs",
        ]],
        ["DATASET_FIELD_TAGS_UPDATED", ["measured", "mikumi", "theirs"], ["measured", "theirs"]],
      ],
    );
  });

  test("two lists at once, and the deletion of a tag, leave one of the lists", async () => {
    const { id } = await field();
    for (let round = 0; round < 5; round++) {
      const lists = [["x", "y"], ["z", "y"]];
      const answers = await Promise.all(lists.map((tags) => put(id, "tags", { tags })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(lists.map((list) => list.toSorted().map((tag) => `${tag} INTERNAL`)))
        .toContainEqual(await stored(id));
    }
  });
});

const sound: Record<string, object> = {
  description: { description: "d" },
  name: { internal_name: "n" },
  tags: { tags: ["t"] },
};
const unsound: [string, unknown, string][] = [
  ["description", { description: "a\0" }, "description"],
  ["description", { description: "\ud800" }, "description"],
  ["description", { description: "x".repeat(100_001) }, "description"],
  ["description", { description: 1 }, "description"],
  ["name", {}, "internal_name"],
  ["name", { internal_name: "x".repeat(256) }, "internal_name"],
  ["name", { internal_name: "\0" }, "internal_name"],
  ["tags", { tags: "a" }, "tags"],
  ["tags", { tags: ["a", ""] }, "tags[1]"],
  ["tags", { tags: ["\udfff"] }, "tags[0]"],
  ["tags", { tags: Array(1_001).fill("t") }, "tags"],
];

test.each(unsound)("400 USR001: %s of %j", async (member, body, named) => {
  const { id, dataset } = await field();
  const answer = await put(id, member, body);
  expect([answer.status, answer.json.code, answer.json.details[0].field])
    .toEqual([400, "USR001", named]);
  expect(await events(dataset)).toEqual([]);
});

describe.each(Object.keys(sound))("put %s", (member) => {
  test("404 for an unknown field and for one of a hollow dataset", async () => {
    expect((await put(999_999, member, sound[member])).status).toBe(404);
    const { id } = await field({ hollow: true });
    expect((await put(id, member, sound[member])).status).toBe(404);
  });

  test("400: a field of an older structure version, naming the newest row", async () => {
    const { id, dataset } = await field();
    const now = await seedField(database.db, dataset, {
      catrn: `//f/${dataset}`,
      type: "TYPE_INTEGER",
    });
    const added = await seedField(database.db, dataset, { catrn: "//f/added" });
    await seedVersion(database.db, dataset, 2, [now, added]);
    await seedVersion(database.db, dataset, 3, [now]);
    const old = await put(id, member, sound[member]);
    expect([old.status, old.json.details]).toEqual([400, [{
      field: "dataset_field_id",
      message: `must be a field of the newest structure version, where it is ${now}`,
    }]]);
    const dropped = await put(added, member, sound[member]);
    expect([dropped.status, dropped.json.details[0].message]).toEqual([
      400,
      "must be a field of the newest structure version, which has no such field",
    ]);
    expect((await put(now, member, sound[member])).status).toBe(200);
  });
});
