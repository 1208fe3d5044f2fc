import { describe, expect, test } from "vitest";
import { LinkedTerm, LinkedTermList } from "#contract/catalogue/terms.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import { eventsOf } from "#test/support/seed/catalogue.ts";
import * as seed from "#test/support/seed/seed.ts";

const { api, database, make } = glossaryUnderTest();

const linkEntity = (entity: number, term_id: number) =>
  api.post(`/api/dataentities/${entity}/terms`, { term_id });
const unlinkEntity = (entity: number, term: number) =>
  api.delete(`/api/dataentities/${entity}/terms/${term}`);
const linkTerm = (term: number, linked_term_id: number) =>
  api.post(`/api/terms/${term}/term`, { linked_term_id });
const list = async (term: number, what: string, query = "") =>
  (await api.get(`/api/terms/${term}/linked_${what}?page=1&size=50${query}`)).json;
const mention = (entity: number, namespace: string, name: string) =>
  database.db.query("INSERT INTO entity_mention VALUES ($1, $2, $3)", [entity, namespace, name]);
const found = async (word: string) =>
  (await database.db.query<{ id: number }>(
    "SELECT entity_id AS id FROM search_document WHERE vector @@ search_query($1) ORDER BY 1",
    [word],
  )).map(({ id }) => id);

describe("addDataEntityTerm, deleteTermFromDataEntity", () => {
  test("200, 204: linked, found by the term's name, and told in the feed", async () => {
    const { db } = database;
    const [entity, term] = [await seed.seedEntity(db), await make("Churn")];
    const answer = await linkEntity(entity, term);
    expect(answer.status).toBe(200);
    expect(LinkedTerm.parse(answer.json))
      .toMatchObject({ term: { id: term, name: "Churn" }, is_description_link: false });
    expect(await found("churn")).toEqual([entity]);
    expect((await unlinkEntity(entity, term)).status).toBe(204);
    expect(await found("churn")).toEqual([]);
    const state = { id: term, name: "Churn", namespace: "glossary", is_description_link: false };
    expect(await eventsOf(db, entity)).toEqual([
      {
        event_type: "TERM_ASSIGNMENT_UPDATED",
        old_state: { terms: [] },
        new_state: { terms: [state] },
      },
      {
        event_type: "TERM_ASSIGNMENT_UPDATED",
        old_state: { terms: [state] },
        new_state: { terms: [] },
      },
    ]);
  });

  test("400 USR003: linked already; 404: unknown or hollow entity, unknown term, no link", async () => {
    const { db } = database;
    const [entity, term] = [await seed.seedEntity(db), await make("twice")];
    await linkEntity(entity, term);
    const repeated = await linkEntity(entity, term);
    expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
    expect(repeated.json.details[0].field).toBe("term_id");
    const hollow = await seed.seedEntity(db, { hollow: true });
    for (const id of [999_999, hollow]) {
      expect((await linkEntity(id, term)).status).toBe(404);
      expect((await unlinkEntity(id, term)).status).toBe(404);
    }
    expect((await linkEntity(entity, 999_999)).status).toBe(404);
    expect((await unlinkEntity(await seed.seedEntity(db), term)).status).toBe(404);
    for (const term_id of ["a", 0, null, 1.5]) {
      const wrong = await api.post(`/api/dataentities/${entity}/terms`, { term_id });
      expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "term_id"]);
    }
    expect(await eventsOf(db, entity)).toHaveLength(1);
  });

  test("a mention is a link that people cannot take away; by hand as well it is one by hand", async () => {
    const { db } = database;
    const [entity, term] = [await seed.seedEntity(db), await make("mentioned")];
    await mention(entity, "glossary", "mentioned");
    const refused = await unlinkEntity(entity, term);
    expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
    expect((await linkEntity(entity, term)).json.is_description_link).toBe(false);
    expect((await list(term, "entities")).page_info.total).toBe(1);
    expect((await unlinkEntity(entity, term)).status).toBe(204);
    expect((await list(term, "entities")).items).toMatchObject([{ id: entity }]);
    expect((await eventsOf(db, entity)).at(-1)!.new_state)
      .toMatchObject({ terms: [{ name: "mentioned", is_description_link: true }] });
  });

  test("400: no more than 1,000 terms of one entity", async () => {
    const { db } = database;
    const entity = await seed.seedEntity(db);
    const namespace = await seed.seedNamespace(db, "crowd");
    await db.query(
      `WITH t AS (INSERT INTO term (namespace_id, name, definition)
         SELECT $1, 'crowd ' || n, '' FROM generate_series(1, 1000) n RETURNING id)
       INSERT INTO entity_term SELECT $2, id FROM t`,
      [namespace, entity],
    );
    const refused = await linkEntity(entity, await make("one more"));
    expect([refused.status, refused.json.details[0].field]).toEqual([400, "term_id"]);
    const stored = await db.query("SELECT FROM entity_term WHERE entity_id = $1", [entity]);
    expect(stored).toHaveLength(1_000);
  });

  test("two at once: one link, and one is told that it is there", async () => {
    const [entity, term] = [await seed.seedEntity(database.db), await make("both")];
    const answers = await Promise.all([1, 2, 3].map(() => linkEntity(entity, term)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await eventsOf(database.db, entity)).toHaveLength(1);
  });

  test("linking while the term is deleted: the link, or 404; nothing is left of the term", async () => {
    const { db } = database;
    for (let round = 0; round < 8; round++) {
      const [entity, term] = [await seed.seedEntity(db), await make(`race ${round}`)];
      const [link, gone] = await Promise.all([
        linkEntity(entity, term),
        api.delete(`/api/terms/${term}`),
      ]);
      expect([200, 404]).toContain(link.status);
      expect(gone.status).toBe(204);
      expect(await db.query("SELECT FROM entity_term WHERE entity_id = $1", [entity])).toEqual([]);
      expect(await found(`race ${round}`)).toEqual([]);
    }
  });
});

describe("addLinkedTermToTerm, getTermLinkedTerms, deleteLinkedTermFromTerm", () => {
  const names = async (term: number, query = "") =>
    LinkedTermList.parse(await list(term, "terms", query)).items
      .map((link) => `${link.term.name}${link.is_description_link ? " (mentioned)" : ""}`);

  test("200, 204: seen from both, by name, with real totals", async () => {
    const [hub, b, a] = [await make("hub", "t"), await make("b", "t"), await make("a", "t")];
    const answer = await linkTerm(b, hub);
    expect([answer.status, answer.json]).toMatchObject([200, {
      term: { id: hub, name: "hub" },
      is_description_link: false,
    }]);
    await linkTerm(hub, a);
    expect([await names(hub), await names(a), await names(b)]).toEqual([["a", "b"], ["hub"], [
      "hub",
    ]]);
    expect(await names(hub, "&query=B")).toEqual(["b"]);
    expect((await api.get(`/api/terms/${hub}/linked_terms?page=1&size=1`)).json.page_info)
      .toEqual({ total: 2, hasNext: true });
    const details = (await api.get(`/api/terms/${hub}`)).json;
    expect(details.linked_terms_using_count).toBe(2);
    expect(details.terms.map((one: TermLink) => one.term.name)).toEqual(["a", "b"]);
    expect((await api.delete(`/api/terms/${hub}/term/${b}`)).status).toBe(204);
    expect([await names(hub), await names(b)]).toEqual([["a"], []]);
  });

  test("a definition that mentions a term links both, whoever stands first", async () => {
    const late = "[[t:says]] [[t:to come]] [[t:says]]";
    const says = await make("says", "t", late);
    expect(await names(says)).toEqual([]);
    const toCome = await make("to come", "t");
    expect([await names(says), await names(toCome)])
      .toEqual([["to come (mentioned)"], ["says (mentioned)"]]);
    for (const [one, other] of [[says, toCome], [toCome, says]]) {
      const refused = await api.delete(`/api/terms/${one}/term/${other}`);
      expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
    }
    await linkTerm(toCome, says);
    expect(await names(says)).toEqual(["to come"]);
  });

  test("400: linked already, either way round, and a term with itself; 404: unknown, no link", async () => {
    const [one, other] = [await make("one", "t"), await make("other", "t")];
    await linkTerm(one, other);
    for (const [from, to] of [[one, other], [other, one]] as const) {
      const repeated = await linkTerm(from, to);
      expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
    }
    const itself = await linkTerm(one, one);
    expect([itself.status, itself.json.details[0].field]).toEqual([400, "linked_term_id"]);
    expect((await linkTerm(one, 999_999)).status).toBe(404);
    expect((await linkTerm(999_999, one)).status).toBe(404);
    expect((await api.delete(`/api/terms/999999/term/${one}`)).status).toBe(404);
    const lonely = await make("lonely", "t");
    expect((await api.delete(`/api/terms/${one}/term/${lonely}`)).status).toBe(404);
    expect((await api.post(`/api/terms/${one}/term`, {})).json.details[0].field)
      .toBe("linked_term_id");
  });

  test("200: details hold the first 1,000 of more, the list has all", async () => {
    const hub = await make("great hub", "t");
    const namespace = await seed.seedNamespace(database.db, "spokes");
    await database.db.query(
      `WITH t AS (INSERT INTO term (namespace_id, name, definition)
         SELECT $1, 'spoke ' || lpad(n::text, 4, '0'), '' FROM generate_series(1, 1002) n
         RETURNING id)
       INSERT INTO term_link SELECT $2, id FROM t`,
      [namespace, hub],
    );
    const details = (await api.get(`/api/terms/${hub}`)).json;
    expect([details.terms.length, details.linked_terms_using_count]).toEqual([1_000, 1_002]);
    const last = (await api.get(`/api/terms/${hub}/linked_terms?page=2&size=1000`)).json;
    expect(last.items.map((one: TermLink) => one.term.name)).toEqual(["spoke 1001", "spoke 1002"]);
  });

  test("both link each other at once: one link, and one is told", async () => {
    const [one, other] = [await make("left", "t"), await make("right", "t")];
    const answers = await Promise.all([linkTerm(one, other), linkTerm(other, one)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await names(one)).toEqual(["right"]);
  });
});

type TermLink = { term: { name: string } };
