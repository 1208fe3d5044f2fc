import { describe, expect, it } from "vitest";
import { maxPropagated } from "#services/api/features/ownership/service.ts";
import { ownershipUnderTest } from "#services/api/features/ownership/testing/harness.ts";
import { group, insertEntities, insertMembers } from "#test/support/seed/catalogue.ts";

const { api, database, pathOf, give, ownersOf, activities, found } = ownershipUnderTest();

describe("ownership of a group, handed on", () => {
  /** A group with two members, one of them in it in two ways; further ones are deleted and hollow. */
  async function family() {
    const ids = await insertEntities(database.db, [
      group("g"),
      "one",
      "two",
      { name: "gone", status: 5 },
      { name: "ghost", hollow: true },
    ]);
    const { g, ...members } = ids;
    await insertMembers(database.db, Object.values(members).map((id) => [g!, id]));
    await insertMembers(database.db, [[g!, ids.one!]], "PARENT");
    return ids as Record<"g" | "one" | "two" | "gone" | "ghost", number>;
  }
  const ownersOfAll = async (ids: Record<string, number>) =>
    Object.fromEntries(
      await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await ownersOf(id)])),
    );

  it("createOwnership reaches the members that it shows, and sets the title of those it owns", async () => {
    const ids = await family();
    await give(ids.two, "Fay", { title_name: "Cook" });
    await give(ids.g, "Fay", { title_name: "Chef", propagate: true });
    const chef = ["Fay (Chef)"];
    expect(await ownersOfAll(ids)).toEqual({ g: chef, one: chef, two: chef, gone: [], ghost: [] });
    expect(await activities(ids.one)).toEqual([["OWNERSHIP_CREATED", [], chef]]);
    expect((await activities(ids.two)).at(-1)).toEqual(["OWNERSHIP_UPDATED", ["Fay (Cook)"], chef]);
    expect((await found("chef")).toSorted()).toEqual([ids.g, ids.one, ids.two].toSorted());
  });

  it("updateOwnership does so too; without `propagate` members stay as they are", async () => {
    const ids = await family();
    const { id } = await give(ids.g, "Gus");
    await api.put(pathOf(ids.g, id), { title_name: "Head" });
    expect(await ownersOf(ids.one)).toEqual([]);
    const answer = await api.put(pathOf(ids.g, id), { propagate: true });
    expect(answer.status).toBe(200);
    expect([await ownersOf(ids.one), await ownersOf(ids.two)]).toEqual([["Gus (Head)"], [
      "Gus (Head)",
    ]]);
  });

  it("deleteOwnership takes the same owner from the members, when it is asked to", async () => {
    const ids = await family();
    const { id } = await give(ids.g, "Hal", { propagate: true });
    await give(ids.one, "Ida");
    expect((await api.delete(pathOf(ids.g, id))).status).toBe(204);
    expect(await ownersOf(ids.two)).toEqual(["Hal"]);
    const { id: repeated } = await give(ids.g, "Hal");
    expect((await api.delete(`${pathOf(ids.g, repeated)}?propagate=true`)).status).toBe(204);
    expect([await ownersOf(ids.g), await ownersOf(ids.one), await ownersOf(ids.two)])
      .toEqual([[], ["Ida"], []]);
    expect((await activities(ids.two)).at(-1)).toEqual(["OWNERSHIP_DELETED", ["Hal"], []]);
  });

  it("400: refuses more members than it can reach, before it changes anything", async () => {
    const { g } = await insertEntities(database.db, [group("g")]);
    await database.db.query(
      `WITH e AS (
         INSERT INTO data_entity (catrn, external_name) SELECT '//crowd/' || n, 'm' FROM generate_series(0, $2) n
         RETURNING id)
       INSERT INTO group_member (group_id, member_id, origin) SELECT $1, id, 'LIST' FROM e`,
      [g, maxPropagated],
    );
    const answer = await api.post(pathOf(g!), { owner_name: "Crowd", propagate: true });
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "propagate"]);
    expect(await ownersOf(g!)).toEqual([]);
  });
});
