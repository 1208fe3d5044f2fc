import { describe, expect, test } from "vitest";
import { fieldsUnderTest } from "#services/api/features/dataset-fields/testing/harness.ts";
import { seedVersion } from "#test/support/seed/seed-dataset.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";

const { api, database, pathOf, field, events } = fieldsUnderTest();
const term = () => seedTerm(database.db, "sales", crypto.randomUUID());
const link = (id: number, term_id: unknown) => api.post(pathOf(id, "terms"), { term_id });
const unlink = (id: number, term: number | string) => api.delete(pathOf(id, `terms/${term}`));
const linked = async (id: number) =>
  (await database.db.query<{ id: number }>(
    "SELECT term_id AS id FROM field_linked_term WHERE field_id = $1 ORDER BY 1",
    [id],
  )).map((row) => row.id);

test("a link is made, told, and taken", async () => {
  const [{ id, dataset }, one] = [await field(), await term()];
  const answer = await link(id, one);
  expect([answer.status, answer.json.term.id, answer.json.is_description_link])
    .toEqual([200, one, false]);
  expect(await linked(id)).toEqual([one]);
  expect((await unlink(id, one)).status).toBe(204);
  expect(await linked(id)).toEqual([]);
  const terms = (state: unknown) => (state as { terms: { id: number }[] }).terms.map((t) => t.id);
  expect((await events(dataset)).map((e) => [e.type, terms(e.before), terms(e.after)])).toEqual([
    ["DATASET_FIELD_TERM_ASSIGNMENT_UPDATED", [], [one]],
    ["DATASET_FIELD_TERM_ASSIGNMENT_UPDATED", [one], []],
  ]);
});

test("a mentioned term is linked by hand too, and only that link is taken by hand", async () => {
  const { id } = await field();
  const name = crypto.randomUUID();
  const one = await seedTerm(database.db, "sales", name);
  await api.put(pathOf(id, "description"), { description: `[[sales:${name}]]` });
  expect((await link(id, one)).json.is_description_link).toBe(false);
  expect((await unlink(id, one)).status).toBe(204);
  const refused = await unlink(id, one);
  expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
  expect(await linked(id)).toEqual([one]);
});

describe("addDatasetFieldTerm", () => {
  test("400 USR003: linked already, also by somebody at once", async () => {
    const [{ id }, one] = [await field(), await term()];
    const answers = await Promise.all([link(id, one), link(id, one), link(id, one)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const repeated = await link(id, one);
    expect([repeated.json.code, repeated.json.details[0].field]).toEqual(["USR003", "term_id"]);
  });

  test.each([["nothing", undefined], ["a text", "x"], ["a fraction", 1.5]])(
    "400 USR001: %s",
    async (_, given) => {
      const answer = await link((await field()).id, given);
      expect([answer.status, answer.json.details[0].field]).toEqual([400, "term_id"]);
    },
  );

  test("404 for an unknown term or field; 400 for a field of an older version", async () => {
    const [{ id, dataset }, one] = [await field(), await term()];
    expect((await link(id, 999_999)).status).toBe(404);
    expect((await link(999_999, one)).status).toBe(404);
    await seedVersion(database.db, dataset, 2, []);
    expect((await link(id, one)).json.details[0].field).toBe("dataset_field_id");
    expect(await linked(id)).toEqual([]);
  });

  test("400: no field has more than 1,000 links by hand", async () => {
    const { id } = await field();
    await database.db.query(
      `WITH t AS (INSERT INTO term (namespace_id, name, definition)
         SELECT (SELECT id FROM namespace WHERE name = 'sales'), 'many ' || n, ''
           FROM generate_series(1, 999) n RETURNING id)
       INSERT INTO field_term SELECT $1, id FROM t`,
      [id],
    );
    expect((await link(id, await term())).status).toBe(200);
    expect((await link(id, await term())).status).toBe(400);
    expect(await linked(id)).toHaveLength(1_000);
  });
});

test("deleteTermFromDatasetField 404: not linked, an unknown term, another field's link", async () => {
  const [mine, others, one] = [await field(), await field(), await term()];
  await link(others.id, one);
  expect((await unlink(mine.id, one)).status).toBe(404);
  expect((await unlink(mine.id, 999_999)).status).toBe(404);
  expect((await unlink(999_999, one)).status).toBe(404);
  expect((await unlink(mine.id, "x")).status).toBe(400);
  expect(await linked(others.id)).toEqual([one]);
});
