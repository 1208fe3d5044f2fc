import { describe, expect, it } from "vitest";
import { Ownership } from "#contract/catalogue/people.ts";
import { ownershipUnderTest } from "#services/api/features/ownership/testing/harness.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";
import { seedEntity, seedOwnership } from "#test/support/seed/seed.ts";

const { api, database, pathOf, give, ownersOf, activities, found } = ownershipUnderTest();

/** An entity that Ann owns as its source tells; the id of that, too. */
async function postOwner(owner = "Ann", title?: string) {
  const id = await seedEntity(database.db);
  const ownership = await seedOwnership(database.db, id, owner, title, true);
  await database.db.query("SELECT refresh_search_documents($1)", [[id]]);
  return { id, ownership };
}
const externals = async (id: number) =>
  (await database.db.query<{ name: string }>(
    "SELECT w.name FROM ownership o JOIN owner w ON w.id = o.owner_id WHERE o.external AND o.entity_id = $1",
    [id],
  )).map(({ name }) => name);

describe("an ownership that a source tells of", () => {
  it("becomes one that people gave when somebody gives that owner", async () => {
    const { id, ownership } = await postOwner("Ann", "Cook");
    const made = await give(id, "Ann", { title_name: "Chef" });
    expect(made).toMatchObject({ id: ownership, title: { name: "Chef" }, external: false });
    expect([await ownersOf(id), await externals(id)]).toEqual([["Ann (Chef)"], []]);
    expect(await activities(id)).toEqual([["OWNERSHIP_CREATED", [], ["Ann (Chef)"]]]);
    expect([await found("chef"), await found("cook")]).toEqual([[id], []]);
    const repeated = await api.post(pathOf(id), { owner_name: "Ann" });
    expect([repeated.status, repeated.json.code]).toEqual([400, "USR003"]);
    expect((await api.delete(pathOf(id, ownership))).status).toBe(204);
  });

  it("is neither changed nor taken by people: 400 that says what may be done", async () => {
    const { id, ownership } = await postOwner("Bea", "Cook");
    for (const propagate of [false, true]) {
      const answers = [
        await api.put(pathOf(id, ownership), { title_name: "Chef", propagate }),
        await api.delete(`${pathOf(id, ownership)}?propagate=${propagate}`),
      ];
      for (const { status, json } of answers) {
        expect([status, json.code, json.details[0].field]).toEqual([400, "USR001", "ownership_id"]);
        expect(json.message).toMatch(/^That Bea owns data entity \d+ comes from its source/);
      }
    }
    expect([await ownersOf(id), await activities(id)]).toEqual([["Bea (Cook)"], []]);
  });

  it("of a member becomes a person's by what is handed on, and stays when that is taken away", async () => {
    const ids = await insertEntities(database.db, [group("g"), "one", "two"]);
    const { g, one, two } = ids as Record<"g" | "one" | "two", number>;
    await insertMembers(database.db, [[g, one], [g, two]]);
    for (const member of [one, two]) await seedOwnership(database.db, member, "Cy", "Told", true);
    const { id } = await give(g, "Cy", { title_name: "Head" });
    const gone = await api.delete(`${pathOf(g, id)}?propagate=true`);
    expect([gone.status, await ownersOf(one), await activities(one)]).toEqual([
      204,
      ["Cy (Told)"],
      [],
    ]);
    await give(g, "Cy", { title_name: "Head", propagate: true });
    expect([await ownersOf(one), await externals(one)]).toEqual([["Cy (Head)"], []]);
    expect(await activities(two)).toEqual([["OWNERSHIP_CREATED", [], ["Cy (Head)"]]]);
  });

  it("of a member becomes a person's by a title that is handed on", async () => {
    const ids = await insertEntities(database.db, [group("g"), "one"]);
    const { g, one } = ids as Record<"g" | "one", number>;
    await insertMembers(database.db, [[g, one]]);
    await seedOwnership(database.db, one, "Di", "Told", true);
    const { id } = await give(g, "Di");
    const answer = await api.put(pathOf(g, id), { title_name: "Head", propagate: true });
    expect(Ownership.parse(answer.json).external).toBe(false);
    expect([await ownersOf(one), await externals(one)]).toEqual([["Di (Head)"], []]);
  });
});
