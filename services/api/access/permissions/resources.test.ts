import { beforeEach, describe, expect, it } from "vitest";
import { accessUnderTest, outcome, serviceKey, tags } from "../testing/authorizers.ts";
import {
  seedAlert,
  seedEntity,
  seedOwnership,
  seedSource,
  seedTag,
} from "#test/support/seed/seed.ts";

const access = accessUnderTest();
beforeEach(() => void (access.requests = []));

describe("resources", () => {
  const open = ["DATA_ENTITY_TAGS_UPDATE"] as ["DATA_ENTITY_TAGS_UPDATE"];

  it("are not read for what holds on all of them, or on none", async () => {
    const authorizer = access.authorizerOf();
    expect(
      await outcome(authorizer.authorize(await access.userWith("DATA_ENTITY", open), tags(404))),
    )
      .toBe(200);
    const other = await access.userWith("DATA_ENTITY", ["DATA_ENTITY_ADD_TERM"], {
      is: "dataEntity:owner",
    });
    expect(await outcome(authorizer.authorize(other, tags(404))))
      .toBe("403 DATA_ENTITY_TAGS_UPDATE on data entity 404 is required");
    expect(access.requests).not.toContain("access-entity");
  });

  it("are read once where a condition decides; unknown and hollow ones are 404", async () => {
    const caller = await access.userWith("DATA_ENTITY", open, {
      eq: { "dataEntity:tag:name": "gold" },
    });
    const [gold, lead] = [await seedEntity(access.db), await seedEntity(access.db)];
    await seedTag(access.db, gold, "gold", { origin: "INTERNAL" });
    const authorizer = access.authorizerOf();
    expect(await outcome(authorizer.authorize(caller, tags(gold)))).toBe(200);
    expect(access.requests.filter((name) => name === "access-entity")).toHaveLength(1);
    expect(await outcome(authorizer.authorize(caller, tags(lead))))
      .toBe(`403 DATA_ENTITY_TAGS_UPDATE on data entity ${lead} is required`);
    expect(await outcome(authorizer.authorize(caller, tags(999_999))))
      .toBe("404 Data entity 999999 was not found");
    const hollow = await seedEntity(access.db, { hollow: true });
    expect(await outcome(authorizer.authorize(caller, tags(hollow)))).toMatch(/^404/);
  });

  it("a kept reading may grant for a moment, a refusal is always decided on a fresh one", async () => {
    const caller = await access.userWith("DATA_ENTITY", open, {
      eq: { "dataEntity:tag:name": "silver" },
    });
    const id = await seedEntity(access.db);
    const authorizer = access.authorizerOf();
    const answer = () => outcome(authorizer.authorize(caller, tags(id)));
    expect(await answer()).toMatch(/^403/);
    await seedTag(access.db, id, "silver", { origin: "INTERNAL" });
    expect(await answer()).toBe(200);
    await access.db.query("DELETE FROM entity_tag WHERE entity_id = $1", [id]);
    access.requests = [];
    expect([await answer(), access.requests]).toEqual([200, []]);
    access.now += 1_000;
    expect(await answer()).toMatch(/^403/);
  });

  it.each([
    ["catrn", "//access/1"],
    ["internalName", "Orders"],
    ["externalName", "orders"],
    ["type", "VIEW"],
    ["class", "DATA_TRANSFORMER"],
    ["datasource:catrn", "//access/source"],
    ["datasource:name", "shop"],
    ["namespace:name", "sales"],
    ["tag:name", "gold"],
    ["ingestedTag:name", "raw"],
    ["owner", "Ada"],
    ["owner:title", "Steward"],
  ])("have the attribute %s", async (key, value) => {
    const [entity] = await access.db.query<{ id: number }>(
      "SELECT id FROM data_entity WHERE catrn = '//access/1'",
    );
    const id = entity?.id ?? await everything();
    const on = `dataEntity:${key}`;
    const [same, other] = await Promise.all([
      access.userWith("DATA_ENTITY", open, { eq: { [on]: value } }),
      access.userWith("DATA_ENTITY", open, { not_eq: { [on]: value } }),
    ]);
    expect(await outcome(access.authorizerOf().authorize(same, tags(id)))).toBe(200);
    expect(await outcome(access.authorizerOf().authorize(other, tags(id)))).toMatch(/^403/);
  });

  async function everything(): Promise<number> {
    const sourceId = await seedSource(access.db, {
      catrn: "//access/source",
      name: "shop",
      namespace: "sales",
    });
    const id = await seedEntity(access.db, {
      catrn: "//access/1",
      name: "orders",
      internalName: "Orders",
      type: "VIEW",
      classes: [1, 2],
      sourceId,
    });
    await seedTag(access.db, id, "gold", { origin: "INTERNAL" });
    await seedTag(access.db, id, "other", { origin: "INTERNAL" });
    await seedTag(access.db, id, "raw");
    await seedOwnership(access.db, id, "Bob");
    await seedOwnership(access.db, id, "Ada", "Steward");
    return id;
  }

  it("are the caller's own through the owner that the caller is bound to", async () => {
    const caller = await access.userWith("DATA_ENTITY", open, { is: "dataEntity:owner" });
    const [own, others] = [await seedEntity(access.db), await seedEntity(access.db)];
    await seedOwnership(access.db, own, caller.name!);
    await seedOwnership(access.db, others, "Bob");
    const authorizer = access.authorizerOf();
    expect(await outcome(authorizer.authorize(caller, tags(own)))).toBe(200);
    expect(await outcome(authorizer.authorize(caller, tags(others)))).toMatch(/^403/);
    expect(await authorizer.permissionsOn(caller, { kind: "data_entity", id: own })).toEqual(open);
    expect(await authorizer.permissionsOn(caller, { kind: "data_entity", id: others })).toEqual([]);
  });

  it("are nobody's by the tags of a batch, unless a condition names its key", async () => {
    const id = await seedEntity(access.db);
    await seedTag(access.db, id, "opens");
    const byTag = await access.userWith("DATA_ENTITY", open, {
      eq: { "dataEntity:tag:name": "opens" },
    });
    const byKey = await access.userWith("DATA_ENTITY", open, {
      eq: { "dataEntity:ingestedTag:name": "opens" },
    });
    const authorizer = access.authorizerOf();
    expect(await outcome(authorizer.authorize(byTag, tags(id)))).toMatch(/^403/);
    expect(await authorizer.permissionsOn(byTag, { kind: "data_entity", id })).toEqual([]);
    await expect(authorizer.authorizeEntities(byTag, open[0], [id])).rejects.toThrow(/required/);
    expect(await outcome(authorizer.authorize(byKey, tags(id)))).toBe(200);
    await seedTag(access.db, id, "opens", { origin: "INTERNAL" });
    access.now += 1_000;
    expect(await outcome(authorizer.authorize(byTag, tags(id)))).toBe(200);
  });

  it("are nobody's by what a source tells of their owners", async () => {
    const id = await seedEntity(access.db);
    const caller = await access.userWith("DATA_ENTITY", open, { is: "dataEntity:owner" });
    await seedOwnership(access.db, id, caller.name!, "Told", true);
    const callers = [
      caller,
      await access.userWith("DATA_ENTITY", open, { eq: { "dataEntity:owner": caller.name! } }),
      await access.userWith("DATA_ENTITY", open, { eq: { "dataEntity:owner:title": "Told" } }),
    ];
    const authorizer = access.authorizerOf();
    for (const each of callers) {
      expect(await outcome(authorizer.authorize(each, tags(id)))).toMatch(/^403/);
      expect(await authorizer.permissionsOn(each, { kind: "data_entity", id })).toEqual([]);
      await expect(authorizer.authorizeEntities(each, open[0], [id])).rejects.toThrow(/required/);
    }
    await access.db.query("UPDATE ownership SET external = false WHERE entity_id = $1", [id]);
    for (const each of callers) {
      expect(await outcome(access.authorizerOf().authorize(each, tags(id)))).toBe(200);
    }
  });

  it("that are alerts are evaluated by their entity; of none, without conditions", async () => {
    const caller = await access.userWith("DATA_ENTITY", open, {
      not_eq: { "dataEntity:tag:name": "pii" },
    });
    const [fine, tagged] = [await seedEntity(access.db), await seedEntity(access.db)];
    await seedTag(access.db, tagged, "pii", { origin: "INTERNAL" });
    const authorizer = access.authorizerOf();
    const on = async (entity: number | null) =>
      await outcome(
        authorizer.authorize(caller, tags(await seedAlert(access.db, entity), "alert")),
      );
    expect(await on(fine)).toBe(200);
    expect(await on(await seedEntity(access.db, { hollow: true }))).toBe(200);
    expect(await on(tagged)).toMatch(/^403 DATA_ENTITY_TAGS_UPDATE on alert \d+ is required$/);
    expect(await on(null)).toMatch(/^403/);
    expect(await outcome(authorizer.authorize(caller, tags(999_999, "alert")))).toMatch(
      /^404 Alert/,
    );
    const all = await access.userWith("DATA_ENTITY", open);
    const orphan = await seedAlert(access.db, null);
    expect(await outcome(access.authorizerOf().authorize(all, tags(orphan, "alert")))).toBe(200);
  });

  it("that do not exist yet are unknown", async () => {
    for (const kind of ["term", "query_example"] as const) {
      expect(await outcome(access.authorizerOf().permissionsOn(serviceKey, { kind, id: 1 })))
        .toMatch(
          /^404/,
        );
    }
  });
});
