import { describe, expect, it } from "vitest";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
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

function form(name: string, members: number[], more: Record<string, unknown> = {}) {
  const entities = members.map((id) => ({ id, status: { status: "STABLE" }, is_stale: false }));
  return { name, type: { id: 22, name: "DOMAIN" }, entities, ...more };
}

describe("createDataEntityGroup", () => {
  it("200: makes a group with a CATRN, a namespace, members, an event and an outbox row", async () => {
    const { a, b } = await insertEntities(t.db, ["a", "b"]) as Ids;
    const head = await outboxHead(t.db);
    const answer = await api.post(
      "/api/dataentitygroups",
      form(" Sales ", [b!, a!, b!], { namespace_name: "made-here" }),
    );
    expect(answer.status).toBe(200);
    const ref = DataEntityRef.parse(answer.json);
    expect(ref).toMatchObject({
      internal_name: "Sales",
      external_name: "Sales",
      manually_created: true,
      is_stale: false,
    });
    expect(ref.catrn).toMatch(/^\/\/catalog\/groups\/[0-9a-f-]{36}$/);
    expect(await membersOf(t.db, ref.id)).toEqual([a, b]);
    expect(await outboxAfter(t.db, head)).toEqual([[ref.id, b, a]]);
    expect(await eventsOf(t.db, ref.id)).toMatchObject([{
      event_type: "CUSTOM_GROUP_CREATED",
      old_state: {},
      new_state: {
        custom_group: {
          id: ref.id,
          internal_name: "Sales",
          type: "DOMAIN",
          entity_classes: ["DATA_ENTITY_GROUP"],
          namespace_name: "made-here",
          entities: [{ id: a, external_name: "a", entity_classes: ["DATA_SET"] }, { id: b }],
        },
      },
    }]);
    const found = await t.db.query(
      "SELECT entity_id FROM search_document WHERE vector @@ search_query('made-here sales')",
    );
    expect(found).toEqual([{ entity_id: ref.id }]);
  });

  it("200: an empty group moves no lineage, and a namespace that exists is used", async () => {
    const head = await outboxHead(t.db);
    await t.db.query("INSERT INTO namespace (name) VALUES ('there')");
    const answers = await Promise.all(
      ["one", "two"].map((name) =>
        api.post("/api/dataentitygroups", form(name, [], { namespace_name: "there" }))
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(await outboxAfter(t.db, head)).toEqual([]);
  });

  it.each([
    ["a blank name", { name: "  " }, "name"],
    ["a name with NUL", { name: "a\0b" }, "name"],
    ["a type that is no group", { type: { id: 1, name: "TABLE" } }, "type.name"],
    ["a type whose id is another's", { type: { id: 17, name: "DOMAIN" } }, "type.id"],
    ["no entities", { entities: undefined }, "entities"],
    ["an unknown member", { entities: [{ id: 999_999_999 }] }, "entities[0].id"],
  ])("400: %s", async (_, wrong, field) => {
    const answer = await api.post("/api/dataentitygroups", { ...form("g", []), ...wrong });
    expect([answer.status, answer.json.details[0].field]).toEqual([400, field]);
  });

  it("400: a hollow member, and nothing is made", async () => {
    const { h } = await insertEntities(t.db, [{ name: "h", hollow: true }]) as Ids;
    const answer = await api.post(
      "/api/dataentitygroups",
      form("never made", [h!], { namespace_name: "never" }),
    );
    expect(answer.status).toBe(400);
    expect(await t.db.query("SELECT 1 FROM namespace WHERE name = 'never'")).toEqual([]);
    expect(await t.db.query("SELECT 1 FROM data_entity WHERE internal_name = 'never made'"))
      .toEqual([]);
  });
});

describe("updateDataEntityGroup", () => {
  it("200: replaces name, type, namespace and visible members", async () => {
    const ids = await insertEntities(t.db, [
      group("g"),
      "gone",
      "kept",
      "fresh",
      { name: "deleted", status: 5 },
    ]) as Ids;
    const { g, gone, kept: retained, fresh, deleted } = ids;
    await insertMembers(t.db, [[g!, gone!], [g!, retained!], [g!, deleted!]]);
    const head = await outboxHead(t.db);
    const answer = await api.put(
      `/api/dataentitygroups/${g}`,
      form("renamed", [retained!, fresh!], { type: { name: "DAG" } }),
    );
    expect([answer.status, answer.json.internal_name]).toEqual([200, "renamed"]);
    expect(await membersOf(t.db, g!)).toEqual([retained, fresh, deleted]);
    expect(await outboxAfter(t.db, head)).toEqual([[g, gone, fresh]]);
    expect(await eventsOf(t.db, g!)).toMatchObject([{
      event_type: "CUSTOM_GROUP_UPDATED",
      old_state: { custom_group: { type: "DOMAIN" } },
      new_state: { custom_group: { type: "DAG", internal_name: "renamed" } },
    }]);
  });

  it("200: the same form again changes nothing and records nothing", async () => {
    const { g, a } = await insertEntities(t.db, [group("g"), "a"]) as Ids;
    await api.put(`/api/dataentitygroups/${g}`, form("same", [a!]));
    const head = await outboxHead(t.db);
    expect((await api.put(`/api/dataentitygroups/${g}`, form("same", [a!]))).status).toBe(200);
    expect((await eventsOf(t.db, g!)).length).toBe(1);
    expect(await outboxAfter(t.db, head)).toEqual([]);
  });

  it("400: an ingested group, and the group as its own member", async () => {
    const { ingested, g } = await insertEntities(t.db, [
      group("ingested", false),
      group("g"),
    ]) as Ids;
    const refused = await api.put(`/api/dataentitygroups/${ingested}`, form("x", []));
    expect([refused.status, refused.json.code]).toEqual([400, "USR001"]);
    const own = await api.put(`/api/dataentitygroups/${g}`, form("x", [g!]));
    expect([own.status, own.json.details[0].field]).toEqual([400, "entities[0].id"]);
  });

  it("404: an unknown id, an entity that is no group, a hollow one", async () => {
    const { a, h } = await insertEntities(t.db, ["a", { name: "h", hollow: true }]) as Ids;
    for (const id of [999_999_999, a, h]) {
      expect((await api.put(`/api/dataentitygroups/${id}`, form("x", []))).status).toBe(404);
    }
  });
});
