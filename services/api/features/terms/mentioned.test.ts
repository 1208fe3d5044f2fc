import { afterEach, describe, expect, test } from "vitest";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { anonymous } from "#contract/actor.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import { namespaceRoutes } from "#services/api/features/namespaces/routes.ts";
import { recordMentions } from "#services/api/features/terms/service.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import { eventually } from "#test/support/eventually.ts";
import * as dataset from "#test/support/seed/seed-dataset.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, form, make, named } = glossaryUnderTest(namespaceRoutes);

/** Describes an entity, as the operations that set descriptions do; `afterwards` runs before it is committed. */
const describeEntity = (
  id: number,
  text: string,
  afterwards: (change: Change) => Promise<unknown> = () => Promise.resolve(),
) =>
  changing(database, anonymous, async (change) => {
    await lockEntity(change.tx, id);
    await change.tx.query("UPDATE data_entity SET internal_description = $2 WHERE id = $1", [
      id,
      text,
    ]);
    await recordMentions(change.tx, { kind: "data_entity", id }, text, "internal_description");
    await afterwards(change);
  });
const describeField = (id: number, text: string) =>
  changing(
    database,
    anonymous,
    ({ tx }) => recordMentions(tx, { kind: "dataset_field", id }, text, "description"),
  );
const orders = (status: number) => seed.seedEntity(database.db, { name: "orders", status });
const linked = async (term: number) =>
  (await api.get(`/api/terms/${term}/linked_entities?page=1&size=50`)).json.items
    .map(({ id }: { id: number }) => id);
const namespaceOf = async (term: number): Promise<number> =>
  (await api.get(`/api/terms/${term}`)).json.namespace.id;
/** Every way to rename a term, with what it is called in refusals. */
const renames: [
  string,
  (term: number) => Promise<{ status: number; json: { code: string; message: string } }>,
][] = [
  ["another name", (term) => api.put(`/api/terms/${term}`, form("renamed", "moving"))],
  ["another namespace", (term) => api.put(`/api/terms/${term}`, form("Term", "elsewhere"))],
  [
    "a renamed namespace",
    async (term) => await api.put(`/api/namespaces/${await namespaceOf(term)}`, { name: "moved" }),
  ],
];

/** Takes away what these tests made and renamed. */
const forget = async () => {
  await database.db.query("DELETE FROM entity_mention");
  await database.db.query("DELETE FROM field_mention");
  await database.db.query("DELETE FROM term WHERE name IN ('Term', 'renamed')");
  await database.db.query("DELETE FROM namespace WHERE name IN ('moving', 'moved')");
};

describe.each(renames)("renaming: %s", (_, rename) => {
  afterEach(forget);

  test("400 USR004 while a description or a definition mentions it, and why", async () => {
    const { db } = database;
    const term = await make("Term", "moving");
    const ids: number[] = [];
    for (const status of [1, 1, 1, 5]) ids.push(await orders(status));
    const field = await dataset.seedField(db, ids[0]!, { catrn: `//f/${term}` });
    await dataset.seedVersion(db, ids[0]!, 1, [field]);
    const expectRefused = async (by: string) => {
      const { status, json } = await rename(term);
      expect([status, json.code]).toEqual([400, "USR004"]);
      expect(json.message).toMatch(/^(Term moving:Term|Namespace moving) cannot be renamed: /);
      expect(json.message).toContain(`mentioned by the ${by}. Change these texts first`);
      expect((await named("moving", "Term")).json.id).toBe(term);
    };
    for (const id of ids) await describeEntity(id, "see [[moving:Term]]");
    const three = ids.slice(0, 3).map((id) => `orders (${id})`).join(", ");
    await expectRefused(`description of data entity ${three} and 1 more`);
    for (const id of ids) await describeEntity(id, "see nothing");
    await describeField(field, "[[moving:Term]]");
    await expectRefused(`description of dataset field orders.${term} (${field})`);
    await describeField(field, "");
    const other = await make(`says so ${term}`, "glossary", "not [[moving:Term]]");
    await expectRefused(`definition of term glossary:says so ${term} (${other})`);
    await api.put(`/api/terms/${other}`, form(`says so ${term}`, "glossary", "nothing"));
    expect((await rename(term)).status).toBe(200);
    expect((await named("moving", "Term")).status).toBe(404);
  });

  test("200: an older structure that mentions it is history", async () => {
    const { db } = database;
    const term = await make("Term", "moving");
    const table = await seed.seedEntity(db);
    const [old, now] = [
      await dataset.seedField(db, table, { catrn: `//f/old/${term}` }),
      await dataset.seedField(db, table, { catrn: `//f/now/${term}` }),
    ];
    await dataset.seedVersion(db, table, 1, [old]);
    await dataset.seedVersion(db, table, 2, [now]);
    await describeField(old, "[[moving:Term]]");
    expect((await rename(term)).status).toBe(200);
  });

  test("while somebody begins to mention it: it waits, and is refused", async () => {
    const term = await make("Term", "moving");
    const entity = await seed.seedEntity(database.db);
    let renaming: ReturnType<typeof rename>;
    await describeEntity(entity, "[[moving:Term]]", async () => {
      renaming = rename(term);
      await waiting(1);
    });
    expect((await renaming!).json.code).toBe("USR004");
    expect(await linked(term)).toEqual([entity]);
  });

  test("begun before somebody mentions it: the mention waits, and names no term", async () => {
    const { db } = database;
    const term = await make("Term", "moving");
    const entity = await seed.seedEntity(db);
    const seen: unknown[][] = [];
    const [renaming, mentioning] = await db.transaction(async (tx) => {
      // What a rename writes last waits for this transaction.
      await tx.query("SELECT FROM term_document WHERE term_id = $1 FOR UPDATE", [term]);
      await tx.query(
        `INSERT INTO search_refresh_queue (kind, subject_id, document)
         SELECT 'namespace', namespace_id, 'entity' FROM term WHERE id = $1`,
        [term],
      );
      const renaming = rename(term);
      await waiting(1);
      const mentioning = describeEntity(entity, "[[moving:Term]]", async (change) => {
        const links = "SELECT FROM entity_linked_term WHERE entity_id = $1";
        seen.push(await change.tx.query(links, [entity]));
      });
      await waiting(2);
      return [renaming, mentioning] as const;
    });
    expect((await renaming).status).toBe(200);
    await mentioning;
    expect([seen, await linked(term)]).toEqual([[[]], []]);
  });
});

/** Resolves once so many transactions wait for others. */
const waiting = (many: number) =>
  eventually(async () => {
    const rows = await database.db.query(
      `SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid IN (
         SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
    );
    expect(rows).toHaveLength(many);
  });

describe("a definition that mentions its own term", () => {
  test("keeps the name, unless it changes with it; the term can be deleted", async () => {
    const term = await make("self", "own", "[[own:self]]");
    const refused = await api.put(`/api/terms/${term}`, form("ego", "own", "[[own:self]]"));
    expect([refused.status, refused.json.code]).toEqual([400, "USR004"]);
    expect((await api.put(`/api/terms/${term}`, form("ego", "own", "[[own:ego]]"))).status)
      .toBe(200);
    expect((await api.get(`/api/terms/${term}/linked_terms?page=1&size=9`)).json.items).toEqual([]);
    expect((await api.delete(`/api/terms/${term}`)).status).toBe(204);
  });
});

describe("deleteTerm", () => {
  test("400 USR004 while a text mentions it, also one of a deleted entity; nothing is lost", async () => {
    const term = await make("kept", "deleting");
    const entity = await orders(5);
    await describeEntity(entity, "[[deleting:kept]]");
    await api.post(`/api/dataentities/${entity}/terms`, { term_id: term });
    const refused = await api.delete(`/api/terms/${term}`);
    const message =
      `Term deleting:kept cannot be deleted: it is mentioned by the description of data entity orders (${entity}). Change these texts first`;
    expect([refused.status, refused.json]).toMatchObject([400, { code: "USR004", message }]);
    const { db } = database;
    expect(await db.query("SELECT FROM entity_term WHERE term_id = $1", [term])).toHaveLength(1);
    await describeEntity(entity, "");
    expect((await api.delete(`/api/terms/${term}`)).status).toBe(204);
  });

  test("while somebody begins to mention it: one of the two", async () => {
    for (let round = 0; round < 10; round++) {
      const term = await make("brief", "deleting");
      const entity = await seed.seedEntity(database.db);
      const [, deleted] = await Promise.all([
        describeEntity(entity, "[[deleting:brief]]"),
        api.delete(`/api/terms/${term}`),
      ]);
      const exists = (await named("deleting", "brief")).status === 200;
      expect([deleted.status, exists]).toEqual(exists ? [400, true] : [204, false]);
      await describeEntity(entity, "");
      if (exists) await api.delete(`/api/terms/${term}`);
    }
  });
});

describe("mentions", () => {
  test("are links at once when the term is made later, and after another gets the name", async () => {
    const entity = await seed.seedEntity(database.db);
    await describeEntity(entity, "[[later:New]] and [[ later : New ]]");
    const term = await make("New", "later");
    expect(await linked(term)).toEqual([entity]);
    await describeEntity(entity, "[[later:Newer]]");
    expect(await linked(term)).toEqual([]);
    expect((await api.put(`/api/terms/${term}`, form("Newer", "later"))).status).toBe(200);
    expect(await linked(term)).toEqual([entity]);
  });

  test("of unknown terms do not hinder a rename of the namespace", async () => {
    await make("known", "half known");
    const entity = await seed.seedEntity(database.db);
    await describeEntity(entity, "[[half known:unknown]]");
    const id = await seed.seedNamespace(database.db, "half known");
    expect((await api.put(`/api/namespaces/${id}`, { name: "well known" })).status).toBe(200);
  });

  test("are no more than 500 in one text, and changed by the next text", async () => {
    const entity = await seed.seedEntity(database.db);
    const many = Array.from({ length: 501 }, (_, n) => `[[many:${n}]]`).join("");
    await expect(describeEntity(entity, many)).rejects.toMatchObject({
      status: 400,
      details: [{ field: "internal_description" }],
    });
    await describeEntity(entity, many.replace("[[many:0]]", ""));
    await describeEntity(entity, "[[many:3]] [[many:x]]");
    const rows = await database.db.query(
      "SELECT name FROM entity_mention WHERE entity_id = $1 ORDER BY 1",
      [entity],
    );
    expect(rows).toEqual([{ name: "3" }, { name: "x" }]);
  });
});

describe("two definitions that mention each other's terms", () => {
  test("change at once, rename refused", async () => {
    const [a, b] = [await make("a", "each"), await make("b", "each")];
    const answers = await Promise.all([
      api.put(`/api/terms/${a}`, form("a", "each", "[[each:b]]")),
      api.put(`/api/terms/${b}`, form("b", "each", "[[each:a]]")),
      api.put(`/api/terms/${a}`, form("a", "each", "[[each:b]] again")),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.put(`/api/terms/${a}`, form("c", "each"))).json.code).toBe("USR004");
  });
});
