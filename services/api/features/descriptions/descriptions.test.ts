import { describe, expect, test } from "vitest";
import { descriptionRoutes } from "#services/api/features/descriptions/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database } = featureUnderTest(descriptionRoutes);
const describing = (id: number, internal_description: unknown) =>
  api.put(`/api/dataentities/${id}/description`, { internal_description });
const naming = (id: number, internal_name: unknown) =>
  api.put(`/api/dataentities/${id}/name`, { internal_name });
const stored = async (id: number) =>
  (await database.db.query<{ name: string; text: string }>(
    "SELECT internal_name AS name, internal_description AS text FROM data_entity WHERE id = $1",
    [id],
  ))[0]!;
const found = async (word: string) =>
  (await database.db.query<{ id: number }>(
    "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1)",
    [word],
  )).map(({ id }) => id);
const events = (id: number) =>
  database.db.query(
    `SELECT event_type AS type, old_state AS before, new_state AS after
       FROM activity WHERE entity_id = $1 ORDER BY id`,
    [id],
  );

describe("upsertDataEntityInternalDescription", () => {
  test("200: the text is stored and found at once, what collectors wrote stays", async () => {
    const id = await seedEntity(database.db, { externalDescription: "theirs" });
    const answer = await describing(id, "  # Orders\n\nof *zanzibar*  ");
    expect([answer.status, answer.json]).toEqual([
      200,
      { internal_description: "# Orders\n\nof *zanzibar*", terms: [] },
    ]);
    expect(await found("zanzibar")).toEqual([id]);
    expect(await found("theirs")).toEqual([id]);
    await describing(id, "other");
    expect(await found("zanzibar")).toEqual([]);
  });

  test("links the terms that it mentions, now or later, for as long as it does", async () => {
    const id = await seedEntity(database.db);
    await seedTerm(database.db, "sales", "revenue");
    const names = (answer: { json: { terms: { term: { name: string } }[] } }) =>
      answer.json.terms.map(({ term }) => term.name);
    expect(names(await describing(id, "[[sales:revenue]] less [[sales:cost]]")))
      .toEqual(["revenue"]);
    await seedTerm(database.db, "sales", "cost");
    const answer = await describing(id, "[[sales:revenue]] less [[sales:cost]].");
    expect(names(answer)).toEqual(["cost", "revenue"]);
    expect(answer.json.terms[0].is_description_link).toBe(true);
    expect(names(await describing(id, "sales:revenue"))).toEqual([]);
  });

  test.each([["blank", " \n"], ["null", null]])("200: %s takes it", async (_, text) => {
    const id = await seedEntity(database.db, { internalDescription: "old" });
    expect((await describing(id, text)).json).toEqual({ internal_description: "", terms: [] });
    expect((await stored(id)).text).toBeNull();
  });

  test("tells what changed, and nothing when nothing did", async () => {
    const id = await seedEntity(database.db);
    await describing(id, "a");
    await describing(id, " a ");
    await describing(id, null);
    const type = "DESCRIPTION_UPDATED";
    const [none, a] = [{ description: { description: null } }, {
      description: { description: "a" },
    }];
    expect(await events(id)).toEqual([
      { type, before: none, after: a },
      { type, before: a, after: none },
    ]);
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["a number", { internal_description: 1 }],
    ["NUL", { internal_description: "a\0" }],
    ["half a surrogate pair", { internal_description: "a\ud800" }],
    ["too long a text", { internal_description: "x".repeat(100_001) }],
    [
      "more mentions than a text may have",
      {
        internal_description: Array.from({ length: 501 }, (_, n) => `[[a:${n}]]`).join(" "),
      },
    ],
  ])("400 USR001: %s changes nothing", async (_, body) => {
    const id = await seedEntity(database.db, { internalDescription: "old" });
    const answer = await api.put(`/api/dataentities/${id}/description`, body);
    expect([answer.status, answer.json.code, answer.json.details[0].field])
      .toEqual([400, "USR001", "internal_description"]);
    expect((await stored(id)).text).toBe("old");
    expect(await events(id)).toEqual([]);
  });

  test("404 for an unknown and for a hollow entity; a deleted one is described", async () => {
    const { db } = database;
    for (const id of [999_999, await seedEntity(db, { hollow: true })]) {
      expect((await describing(id, "x")).status).toBe(404);
    }
    expect((await describing(await seedEntity(db, { status: 5 }), "x")).status).toBe(200);
  });

  test("two at once leave one of the two texts with its own mentions", async () => {
    const id = await seedEntity(database.db);
    for (let round = 0; round < 5; round++) {
      const texts = ["one", "two"].map((name) => `[[race:${name}]] ${round}`);
      const answers = await Promise.all(texts.map((text) => describing(id, text)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const mentions = await database.db.query<{ name: string }>(
        "SELECT name FROM entity_mention WHERE entity_id = $1",
        [id],
      );
      expect(mentions).toHaveLength(1);
      expect((await stored(id)).text).toBe(`[[race:${mentions[0]!.name}]] ${round}`);
    }
  });
});

describe("upsertDataEntityInternalName", () => {
  test("200: the name is stored and found at once; blank takes it", async () => {
    const id = await seedEntity(database.db, { name: "tbl_17" });
    expect((await naming(id, " Kilimanjaro ")).json).toEqual({ internal_name: "Kilimanjaro" });
    expect(await found("kilimanjaro")).toEqual([id]);
    expect((await naming(id, "")).json).toEqual({ internal_name: "" });
    expect(await stored(id)).toEqual({ name: null, text: null });
    expect(await found("kilimanjaro")).toEqual([]);
    expect((await events(id)).map((event) => event.after)).toEqual([
      { business_name: { internal_name: "Kilimanjaro" } },
      { business_name: { internal_name: null } },
    ]);
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["a list", { internal_name: ["a"] }],
    ["NUL", { internal_name: "\0" }],
    ["too long a name", { internal_name: "x".repeat(256) }],
  ])("400 USR001: %s", async (_, body) => {
    const id = await seedEntity(database.db);
    const answer = await api.put(`/api/dataentities/${id}/name`, body);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "internal_name"]);
    expect(await events(id)).toEqual([]);
  });

  test("404 for an unknown and for a hollow entity", async () => {
    for (const id of [999_999, await seedEntity(database.db, { hollow: true })]) {
      expect((await naming(id, "x")).status).toBe(404);
    }
  });
});
