import { describe, expect, test } from "vitest";
import { TagList } from "#contract/catalogue/common.ts";
import { tagsUnderTest } from "#services/api/features/tags/testing/harness.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, list, put, stored, found } = tagsUnderTest();

describe("createDataEntityTagsRelations", () => {
  test("200: what is set by hand becomes the list; what collectors set stays theirs", async () => {
    const { db } = database;
    const entity = await seed.seedEntity(db);
    await seed.seedTag(db, entity, "theirs");
    await seed.seedTag(db, entity, "both");
    await seed.seedTag(db, entity, "both", { origin: "INTERNAL" });
    await seed.seedTag(db, entity, "old", { origin: "INTERNAL" });
    const answer = await put(entity, " new ", "both", "theirs", "new");
    expect(answer.status).toBe(200);
    expect(TagList.parse(answer.json).map(({ name, external }) => [name, external]))
      .toEqual([["both", true], ["new", false], ["theirs", true]]);
    const theirs = ["both EXTERNAL", "theirs EXTERNAL"];
    expect(await stored(entity)).toEqual([theirs[0], "both INTERNAL", "new INTERNAL", theirs[1]]);
    expect(await found("new")).toContain(entity);
    await put(entity);
    expect(await stored(entity)).toEqual(theirs);
    expect(await found("new")).not.toContain(entity);
  });

  test("records what it changed, and nothing when it changed nothing", async () => {
    const entity = await seed.seedEntity(database.db);
    const events = () =>
      database.db.query(
        `SELECT event_type AS type, jsonb_path_query_array(old_state, '$.tags[*].name') AS before,
                jsonb_path_query_array(new_state, '$.tags[*].name') AS after
           FROM activity WHERE entity_id = $1 ORDER BY id`,
        [entity],
      );
    await put(entity, "b", "a");
    await put(entity, "a", "b");
    await put(entity, "b");
    const type = "TAG_ASSIGNMENT_UPDATED";
    expect(await events()).toEqual([
      { type, before: [], after: ["a", "b"] },
      { type, before: ["a", "b"], after: ["b"] },
    ]);
  });

  test("a deleted entity can be tagged; 404 for an unknown and for a hollow one", async () => {
    const { db } = database;
    expect((await put(await seed.seedEntity(db, { status: 5 }), "late")).status).toBe(200);
    for (const id of [999_999, await seed.seedEntity(db, { hollow: true })]) {
      expect((await put(id, "nowhere")).status).toBe(404);
    }
    expect(await list("query=nowhere")).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["nothing", {}, "tag_name_list"],
    ["no list", { tag_name_list: "a" }, "tag_name_list"],
    ["an empty name", { tag_name_list: ["a", " "] }, "tag_name_list[1]"],
    ["too many", { tag_name_list: Array(1_001).fill("t") }, "tag_name_list"],
  ])("400 USR001: %s", async (_, body, field) => {
    const entity = await seed.seedEntity(database.db);
    const answer = await api.put(`/api/dataentities/${entity}/tags`, body);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, field]);
  });

  test("many at once with the same new tags all succeed, whatever is deleted meanwhile", async () => {
    const { db } = database;
    const entities = await Promise.all(Array.from({ length: 6 }, () => seed.seedEntity(db)));
    const names = ["race a", "race b", "race c"];
    for (let round = 0; round < 4; round++) {
      const turned = round % 2 === 0 ? names : names.toReversed();
      const puts = entities.map((id, n) => put(id, ...(n % 2 === 0 ? turned : names)));
      const ids = (await list("query=race")).map(({ id }) => id);
      const deletions = ids.slice(0, 1).map((id) => api.delete(`/api/tags/${id}`));
      const answers = await Promise.all([...puts, ...deletions]);
      expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
    }
    await Promise.all(entities.map((id) => put(id, ...names)));
    expect(await stored(entities[5]!)).toEqual(names.map((name) => `${name} INTERNAL`));
  });
});
