import { describe, expect, test } from "vitest";
import { queryExamplesUnderTest } from "#services/api/features/query-examples/testing/harness.ts";
import { maxLinks } from "#services/api/features/query-examples/service.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";
import { seedAnyTerm, seedQueryExample } from "#test/support/seed/seed-assets.ts";

const { api, database, make, details, attach, detach } = queryExamplesUnderTest();
const nobody = 999_999_999;
const ids = (items: { id: number }[]) => items.map(({ id }) => id);
const ofEntity = async (id: number) => (await api.get(`/api/queryexample/dataset/${id}`)).json;
const ofTerm = async (id: number) => (await api.get(`/api/queryexample/term/${id}`)).json;

describe("attaching", () => {
  test("200: the example with its links, which both sides list", async () => {
    const { db } = database;
    const [one, two] = [await seedEntity(db), await seedEntity(db)];
    const term = await seedTerm(db, "Sales", "Revenue");
    const id = await make("linked");
    await attach("dataentities", two, id);
    expect((await attach("dataentities", one, id)).status).toBe(200);
    const { status, json } = await attach("terms", term, id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, definition: "linked", query: "SELECT 1" });
    expect(ids(json.linked_entities)).toEqual([one, two]);
    expect(json.linked_terms).toMatchObject({
      items: [{
        term: { id: term, name: "Revenue", namespace: { name: "Sales" } },
        is_description_link: false,
      }],
      page_info: { total: 1, hasNext: false },
    });
    expect(await ofEntity(one)).toEqual({
      items: [json],
      page_info: { total: 1, hasNext: false },
    });
    expect(await ofTerm(term)).toEqual({ items: [json], page_info: { total: 1, hasNext: false } });
    const whole = await details(id);
    expect(ids(whole.linked_entities.items)).toEqual([one, two]);
    expect(whole.linked_entities).toMatchObject({
      items: [{ type: { name: "TABLE" } }, {}],
      page_info: { total: 2, hasNext: false },
    });
    expect(whole.linked_terms).toEqual(json.linked_terms);
  });

  test("deleted data entities are not shown, and come back when they are restored", async () => {
    const { db } = database;
    const [entity, other] = [await seedEntity(db), await seedEntity(db)];
    const id = await make("half hidden");
    await attach("dataentities", entity, id);
    await attach("dataentities", other, id);
    const shown = async () => ids((await details(id)).linked_entities.items);
    await db.query("UPDATE data_entity SET status = 5 WHERE id = $1", [entity]);
    expect(await shown()).toEqual([other]);
    expect(ids((await ofEntity(other)).items[0].linked_entities)).toEqual([other]);
    await db.query("UPDATE data_entity SET status = 3 WHERE id = $1", [entity]);
    expect(await shown()).toEqual([entity, other]);
  });

  test("400: attached already", async () => {
    const id = await make("twice");
    for (
      const [kind, thing] of [
        ["dataentities", await seedEntity(database.db)],
        ["terms", await seedAnyTerm(database.db)],
      ] as const
    ) {
      expect((await attach(kind, thing, id)).status).toBe(200);
      const repeated = await attach(kind, thing, id);
      expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
      expect(repeated.json.details).toMatchObject([{ field: "query_example_id" }]);
    }
  });

  test("two at once attach once", async () => {
    const [entity, id] = [await seedEntity(database.db), await make("raced")];
    const answers = await Promise.all([1, 2, 3].map(() => attach("dataentities", entity, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test("404: an unknown or hollow entity, an unknown term, an unknown example", async () => {
    const { db } = database;
    const id = await make("nowhere");
    const hollow = await seedEntity(db, { hollow: true });
    const [entity, term] = [await seedEntity(db), await seedAnyTerm(db)];
    const answers = [
      await attach("dataentities", nobody, id),
      await attach("dataentities", hollow, id),
      await attach("dataentities", entity, nobody),
      await attach("terms", nobody, id),
      await attach("terms", term, nobody),
      await detach("dataentities", nobody, id),
      await detach("dataentities", entity, nobody),
      await detach("terms", nobody, id),
      await detach("terms", term, nobody),
      await api.get(`/api/queryexample/dataset/${nobody}`),
      await api.get(`/api/queryexample/dataset/${hollow}`),
      await api.get(`/api/queryexample/term/${nobody}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await details(id)).linked_entities.items).toEqual([]);
  });

  test("400: no id, and an id that is none", async () => {
    const entity = await seedEntity(database.db);
    for (const form of [{}, { query_example_id: "1" }, { query_example_id: 0 }]) {
      const refused = await api.post(`/api/dataentities/${entity}/queryexample`, form);
      expect([refused.status, refused.json.details[0].field]).toEqual([400, "query_example_id"]);
    }
  });

  test("400: more links than there may be, on either side", async () => {
    const { db } = database;
    const [full, id] = [await seedEntity(db), await make("popular")];
    for (let n = 0; n < maxLinks; n++) {
      const [entity, example] = [await seedEntity(db), await seedQueryExample(db)];
      await db.query("INSERT INTO entity_query_example VALUES ($1, $2), ($3, $4)", [
        entity,
        id,
        full,
        example,
      ]);
    }
    const tooMany = await attach("dataentities", await seedEntity(db), id);
    const tooFull = await attach("dataentities", full, await make("late"));
    for (const { status, json } of [tooMany, tooFull]) {
      expect([status, json.details[0].field]).toEqual([400, "query_example_id"]);
    }
    expect((await details(id)).linked_entities.page_info.total).toBe(maxLinks);
    expect((await ofEntity(full)).page_info.total).toBe(maxLinks);
  });
});

test("all that touches entities and examples at once ends whole, and nobody waits in a circle", async () => {
  const { db } = database;
  const entities = [await seedEntity(db), await seedEntity(db), await seedEntity(db)];
  const examples = [await make("one"), await make("two"), await make("three")];
  const doomed = await make("doomed");
  const pairs = entities.flatMap((entity) => examples.map((example) => [entity, example] as const));
  const answers = await Promise.all([
    ...pairs.map(([entity, example]) => attach("dataentities", entity, example)),
    ...entities.map((entity) => attach("dataentities", entity, doomed)),
    ...pairs.toReversed().map(([entity, example]) => detach("dataentities", entity, example)),
    ...examples.map((id) =>
      api.put(`/api/queryexample/${id}`, { definition: `changed ${id}`, query: "SELECT 2" })
    ),
    api.delete(`/api/queryexample/${doomed}`),
    db.query("UPDATE data_entity SET external_name = 'renamed' WHERE id = ANY($1)", [entities])
      .then(() => ({ status: 200 })),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status)))
    .toEqual([]);
  for (const [entity, example] of pairs) {
    const listed = ids((await ofEntity(entity)).items).includes(example);
    expect(ids((await details(example)).linked_entities.items).includes(entity)).toBe(listed);
  }
});

describe("detaching", () => {
  test("204: whether or not it was attached", async () => {
    const { db } = database;
    const [entity, term, id] = [await seedEntity(db), await seedAnyTerm(db), await make("free")];
    await attach("dataentities", entity, id);
    await attach("terms", term, id);
    for (let n = 0; n < 2; n++) {
      expect((await detach("dataentities", entity, id)).status).toBe(204);
      expect((await detach("terms", term, id)).status).toBe(204);
    }
    expect(await ofEntity(entity)).toEqual({ items: [], page_info: { total: 0, hasNext: false } });
    expect((await details(id)).linked_terms.items).toEqual([]);
  });

  test("a term that is deleted takes its links", async () => {
    const [term, id] = [await seedAnyTerm(database.db), await make("outlives a term")];
    await attach("terms", term, id);
    await database.db.query("DELETE FROM term WHERE id = $1", [term]);
    expect((await details(id)).linked_terms.items).toEqual([]);
  });
});
