import { describe, expect, it } from "vitest";
import { groupRoutes } from "#services/api/features/groups/routes.ts";
import {
  eventsOf,
  group,
  insertEntities,
  insertMembers,
  membersOf,
  outboxAfter,
  outboxHead,
} from "#test/support/seed/catalogue.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";

const { api, database: t } = featureUnderTest(groupRoutes);

type Ids = Record<string, number>;

describe("addDataEntityDataEntityGroup", () => {
  const add = (entity: number, group: number) =>
    api.post(`/api/dataentities/${entity}/data_entity_group`, { data_entity_group_id: group });

  it("200: adds a member, answers the group, records it", async () => {
    const { g, a } = await insertEntities(t.db, [group("g"), "a"]) as Ids;
    const head = await outboxHead(t.db);
    const answer = await add(a!, g!);
    expect([answer.status, answer.json.id]).toEqual([200, g]);
    expect(await membersOf(t.db, g!)).toEqual([a]);
    expect(await outboxAfter(t.db, head)).toEqual([[g, a]]);
    expect((await eventsOf(t.db, g!)).map((e) => e.event_type)).toEqual(["CUSTOM_GROUP_UPDATED"]);
  });

  it("400: a member already, an ingested group, the group itself, no group id", async () => {
    const ids = await insertEntities(t.db, [group("g"), group("ingested", false), "a"]) as Ids;
    const { g, ingested, a } = ids;
    await insertMembers(t.db, [[g!, a!]], "PARENT");
    const already = await add(a!, g!);
    expect([already.status, already.json.code]).toEqual([400, "USR003"]);
    expect((await add(a!, ingested!)).status).toBe(400);
    expect((await add(g!, g!)).status).toBe(400);
    expect((await api.post(`/api/dataentities/${a}/data_entity_group`, {})).status).toBe(400);
  });

  it("404: an unknown entity, an unknown group, an entity that is no group", async () => {
    const { g, a, b } = await insertEntities(t.db, [group("g"), "a", "b"]) as Ids;
    expect((await add(999_999_999, g!)).status).toBe(404);
    expect((await add(a!, 999_999_999)).status).toBe(404);
    expect((await add(a!, b!)).status).toBe(404);
  });

  it("adds once when two ask at the same time", async () => {
    const { g, a } = await insertEntities(t.db, [group("g"), "a"]) as Ids;
    const answers = await Promise.all([add(a!, g!), add(a!, g!)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    expect((await eventsOf(t.db, g!)).length).toBe(1);
  });

  it("takes groups into each other at the same time and still answers", async () => {
    const { x, y } = await insertEntities(t.db, [group("x"), group("y")]) as Ids;
    const answers = await Promise.all([add(x!, y!), add(y!, x!)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect((await api.get(`/api/dataentitygroups/${x}/items?page=1&size=5`)).json)
      .toMatchObject({ entities_count: 1, upper_groups_count: 1 });
  });
});

describe("deleteDataEntityFromDataEntityGroup", () => {
  const remove = (entity: number, group: number) =>
    api.delete(`/api/dataentities/${entity}/data_entity_group/${group}`);

  it("204: takes the member out and records it", async () => {
    const { g, a, b } = await insertEntities(t.db, [group("g"), "a", "b"]) as Ids;
    await insertMembers(t.db, [[g!, a!], [g!, b!]]);
    const head = await outboxHead(t.db);
    const answer = await remove(a!, g!);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(await membersOf(t.db, g!)).toEqual([b]);
    expect(await outboxAfter(t.db, head)).toEqual([[g, a]]);
    expect((await eventsOf(t.db, g!)).map((e) => e.event_type)).toEqual(["CUSTOM_GROUP_UPDATED"]);
  });

  it("400: an ingested group", async () => {
    const { g, a } = await insertEntities(t.db, [group("g", false), "a"]) as Ids;
    await insertMembers(t.db, [[g!, a!]], "LIST");
    expect((await remove(a!, g!)).status).toBe(400);
  });

  it("404: no member by hand, an unknown group, an unknown entity", async () => {
    const { g, a, b } = await insertEntities(t.db, [group("g"), "a", "b"]) as Ids;
    await insertMembers(t.db, [[g!, a!]], "PARENT");
    expect((await remove(a!, g!)).status).toBe(404);
    expect((await remove(b!, g!)).status).toBe(404);
    expect((await remove(a!, 999_999_999)).status).toBe(404);
    expect((await remove(999_999_999, g!)).status).toBe(404);
    expect(await eventsOf(t.db, g!)).toEqual([]);
  });
});
