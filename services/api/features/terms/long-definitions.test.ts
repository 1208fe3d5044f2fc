import { expect, test } from "vitest";
import { shownDefinition } from "#services/api/features/terms/service.ts";
import { glossaryUnderTest } from "#services/api/features/terms/testing/harness.ts";
import { seedEntity } from "#test/support/seed/seed.ts";

const { api, database, make, named } = glossaryUnderTest();
const page = "?page=1&size=10";

test("what refers to a term shows the beginning of a long definition; the term has all of it", async () => {
  const long = "\u00fc".repeat(shownDefinition + 1);
  const [one, other] = [await make("long", "long", long), await make("other", "long")];
  const entity = await seedEntity(database.db);
  const references = [
    (await api.post(`/api/dataentities/${entity}/terms`, { term_id: one })).json.term,
    (await api.post(`/api/terms/${other}/term`, { linked_term_id: one })).json.term,
    (await api.get(`/api/terms/${other}/linked_terms${page}`)).json.items[0].term,
    (await api.get(`/api/terms/${other}`)).json.terms[0].term,
    (await api.get(`/api/terms${page}&query=long`)).json.items[0],
    (await named("long", "long")).json,
  ];
  for (const { id, definition } of references) {
    expect([id, definition]).toEqual([one, `${long.slice(0, shownDefinition - 1)}…`]);
  }
  expect((await api.get(`/api/terms/${one}`)).json.definition).toBe(long);
});

test.each(["x", "\u00fc", "\ud83d\ude00"])(
  "a definition of as many %s as are shown is whole",
  async (letter) => {
    const fits = letter.repeat(shownDefinition);
    const id = await make(`fits ${letter}`, "long", fits);
    expect((await named("long", `fits ${letter}`)).json).toMatchObject({ id, definition: fits });
  },
);
