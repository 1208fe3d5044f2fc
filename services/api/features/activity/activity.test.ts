import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Activity, ActivityCountInfo, ActivityUserList } from "#contract/catalogue/activity.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { activityRoutes } from "#services/api/features/activity/routes.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { bindUser, calledBy } from "#test/support/http/caller.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import * as seed from "#test/support/seed/seed.ts";

let t: TestDatabase;
let anyone: TestApi;
let ada: TestApi;
let close: () => Promise<void>;
const ids: Record<string, number> = {};
let owner: number;

const day = (n: number, time = "00:00:00.000") => `2026-03-${String(n).padStart(2, "0")}T${time}Z`;
const march = `begin_date=${day(1)}&end_date=2026-04-01T00:00:00Z`;

async function event(
  at: string,
  given: { entity?: number | null; by?: string; type?: string; after?: object },
) {
  const [row] = await t.db.query<{ id: number }>(
    `INSERT INTO activity (event_type, entity_id, created_at, created_by, old_state, new_state,
       system_event) VALUES ($1, $2, $3, $4, '{}', $5, $6) RETURNING id`,
    [
      given.type ?? "DESCRIPTION_UPDATED",
      given.entity ?? null,
      at,
      given.by ?? null,
      JSON.stringify(given.after ?? { description: { description: at } }),
      given.by === undefined,
    ],
  );
  return row!.id;
}

// Lineage: up > mine > down; `aside` has no edges. Ada owns `mine`.
beforeAll(async () => {
  t = await testDatabase();
  const context = testContext(t, { graph: new PostgresGraph(t.db) });
  anyone = testApi(activityRoutes(context));
  ada = testApi(calledBy("ada", activityRoutes(context)));
  close = () => context.wakeups.close();
  const sourceId = await seed.seedSource(t.db, { namespace: "sales" });
  for (const name of ["up", "mine", "down"]) {
    ids[name] = await seed.seedEntity(t.db, { name, sourceId });
  }
  ids.aside = await seed.seedEntity(t.db, { name: "aside", status: 5 });
  await seed.seedEdge(t.db, ids.up!, ids.mine!);
  await seed.seedEdge(t.db, ids.mine!, ids.down!);
  await seed.seedOwnership(t.db, ids.mine!, "Data Team");
  await seed.seedTag(t.db, ids.down!, "pii");
  owner = await bindUser(t.db, "ada", "Data Team");
  await event(day(1), { entity: ids.up! });
  await event(day(2), { entity: ids.mine!, by: "ada" });
  await event(day(3), { entity: ids.down!, by: "bob" });
  await event(day(4), {
    entity: ids.aside!,
    type: "DATA_ENTITY_STATUS_UPDATED",
    by: "Carol",
    after: { status: { status: { status: "DELETED" } } },
  });
  await event(day(5), { by: "cn=dan,dc=shop" });
  await event(day(6), { entity: 999_999 });
  await event("2026-01-15T00:00:00Z", { entity: ids.mine! });
});
afterAll(async () => {
  await close();
  await t.drop();
});

const feed = async (api: TestApi, query: string, path = "/api/activity") => {
  const answer = await api.get(`${path}?${query.includes("size=") ? query : `${query}&size=50`}`);
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return z.array(Activity).parse(answer.json);
};
const days = (events: Activity[]) => events.map((e) => new Date(e.created_at).getUTCDate());

describe("getActivity", () => {
  it("200: newest first, its begin included, its end not", async () => {
    const events = await feed(anyone, march);
    expect(days(events)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(events[4]).toMatchObject({
      event_type: "DESCRIPTION_UPDATED",
      created_by: { identity: { username: "ada" }, owner: { id: owner, name: "Data Team" } },
      data_entity: { id: ids.mine, external_name: "mine" },
      old_state: {},
      new_state: { description: { description: day(2) } },
      system_event: false,
    });
    expect(events[5]).toMatchObject({ created_by: null, system_event: true });
    expect(days(await feed(anyone, `begin_date=${day(2)}&end_date=${day(4)}`))).toEqual([3, 2]);
  });

  it("200: deleted entities, no entity, and one that was purged, by its id", async () => {
    const [purged, none, deleted] = await feed(anyone, march);
    expect(purged!.data_entity).toMatchObject({ id: 999_999, status: { status: "DELETED" } });
    expect(none!.data_entity).toBeNull();
    expect(deleted!.data_entity).toMatchObject({ id: ids.aside, status: { status: "DELETED" } });
  });

  it("200: pages by the last event, also where several are of one moment", async () => {
    const at = day(20);
    for (let n = 0; n < 5; n++) await event(at, { entity: ids.up! });
    const period = `begin_date=${day(19)}&end_date=${day(21)}`;
    const all = await feed(anyone, period);
    const seen: number[] = [];
    for (let cursor = "";;) {
      const page = await feed(anyone, `${period}&size=2${cursor}`);
      seen.push(...page.map((e) => e.id));
      const last = page.at(-1);
      if (!last) break;
      cursor = `&last_event_id=${last.id}&last_event_date_time=${last.created_at}`;
    }
    expect(seen).toEqual(all.map((e) => e.id));
    expect(seen).toHaveLength(5);
  });

  it("200: narrowed by what, by whom, and by what the entity has", async () => {
    const id = async (table: string, name: string) =>
      (await t.db.query<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [name]))[0]!.id;
    const period = `begin_date=${day(1)}&end_date=${day(7)}`;
    const daysOf = async (query: string) => days(await feed(anyone, `${period}&${query}`));
    expect(await daysOf("event_type=DATA_ENTITY_STATUS_UPDATED")).toEqual([4]);
    expect(await daysOf("usernames=bob,Carol")).toEqual([4, 3]);
    expect(await daysOf("username=bob&username=cn%3Ddan,dc%3Dshop")).toEqual([5, 3]);
    expect(await daysOf(`user_ids=${owner}`)).toEqual([2]);
    expect(await daysOf(`user_ids=${owner}&usernames=bob`)).toEqual([3, 2]);
    expect(await daysOf(`namespace_id=${await id("namespace", "sales")}`)).toEqual([3, 2, 1]);
    const [source] = await t.db.query<{ id: number }>("SELECT id FROM data_source");
    expect(await daysOf(`datasource_id=${source!.id}`)).toEqual([3, 2, 1]);
    expect(await daysOf(`tag_ids=${await id("tag", "pii")}`)).toEqual([3]);
    expect(await daysOf(`owner_ids=${await id("owner", "Data Team")}`)).toEqual([2]);
  });

  it("200: views are seen from what the caller owns", async () => {
    const period = `begin_date=${day(1)}&end_date=${day(7)}`;
    expect(days(await feed(ada, `${period}&type=MY_OBJECTS`))).toEqual([2]);
    expect(days(await feed(ada, `${period}&type=UPSTREAM`))).toEqual([1]);
    expect(days(await feed(ada, `${period}&type=DOWNSTREAM`))).toEqual([3]);
    expect(await feed(anyone, `${period}&type=MY_OBJECTS`)).toEqual([]);
  });

  it("200: classes and types in states carry their ids", async () => {
    const entity = {
      id: 1,
      catrn: "//a",
      entity_classes: ["DATA_SET"],
      type: "VIEW",
      external_name: "a",
    };
    await event(day(22), {
      type: "DATA_ENTITY_CREATED",
      entity: ids.up!,
      after: { data_entity: entity },
    });
    const member = { id: 2, entity_classes: ["DATA_CONSUMER"], external_name: "m" };
    const group = {
      id: 3,
      internal_name: "g",
      entity_classes: ["DATA_ENTITY_GROUP"],
      type: "DOMAIN",
      entities: [member],
    };
    await event(day(23), {
      type: "CUSTOM_GROUP_CREATED",
      entity: ids.up!,
      after: { custom_group: group },
    });
    const [made, created] = await feed(anyone, `begin_date=${day(22)}&end_date=${day(24)}`);
    expect(created!.new_state.data_entity).toMatchObject({
      entity_classes: [{ id: 1, name: "DATA_SET" }],
      type: { id: 11, name: "VIEW" },
    });
    expect(made!.new_state.custom_group).toMatchObject({
      type: { id: 22, name: "DOMAIN" },
      entities: [{ id: 2, entity_classes: [{ id: 6, name: "DATA_CONSUMER" }] }],
    });
  });

  it("400: names what is missing or wrong", async () => {
    const wrong: [string, string][] = [
      [`end_date=${day(2)}&size=1`, "begin_date"],
      [`begin_date=${day(2)}&size=1`, "end_date"],
      [march, "size"],
      [`${march}&size=1001`, "size"],
      [`${march}&size=1&event_type=NOTHING`, "event_type"],
      [`${march}&size=1&last_event_id=1`, "last_event_date_time"],
      [`${march}&size=1&last_event_date_time=${day(1)}`, "last_event_id"],
      [`begin_date=0000-01-01T00:00:00Z&end_date=${day(2)}&size=1`, "begin_date"],
    ];
    for (const [query, field] of wrong) {
      const answer = await anyone.get(`/api/activity?${query}`);
      expect([query, answer.status, answer.json.details[0].field]).toEqual([query, 400, field]);
    }
  });
});

describe("getDataEntityActivity", () => {
  it("200: only the entity's; 404 for an unknown one", async () => {
    const path = `/api/dataentities/${ids.mine}/activity`;
    const period = `begin_date=2026-01-01T00:00:00Z&end_date=${day(7)}`;
    expect((await feed(anyone, period, path)).map((e) => e.created_at))
      .toEqual([day(2), "2026-01-15T00:00:00.000Z"]);
    expect(await feed(anyone, `${period}&usernames=bob`, path)).toEqual([]);
    expect((await anyone.get(`/api/dataentities/999999/activity?${march}&size=1`)).status).toBe(
      404,
    );
    expect((await anyone.get(path)).json.details[0].field).toBe("begin_date");
  });
});

describe("getActivityCounts", () => {
  it("200: what each view holds", async () => {
    const period = `begin_date=${day(1)}&end_date=${day(7)}`;
    const counts = await ada.get(`/api/activity/counts?${period}`);
    expect(ActivityCountInfo.parse(counts.json)).toEqual({
      total_count: 6,
      my_objects_count: 1,
      downstream_count: 1,
      upstream_count: 1,
    });
    const named = await anyone.get(`/api/activity/counts?${period}&usernames=ada`);
    expect(named.json).toMatchObject({ total_count: 1, my_objects_count: 0 });
    expect(
      (await ada.get("/api/activity/counts")).json.details.map((d: { field: string }) => d.field),
    )
      .toEqual(["begin_date", "end_date"]);
  });
});

describe("getActivityUsers", () => {
  it("200: each name once, by name; found by a part of it or of the owner's", async () => {
    const users = async (query: string) => {
      const list = ActivityUserList.parse((await anyone.get(`/api/activity/users?${query}`)).json);
      return [list.items.map((user) => user.identity.username), list.page_info];
    };
    await event(day(24), { by: "ada" });
    const [names, info] = await users("page=1&size=9");
    expect([[...names as string[]].sort(), info])
      .toEqual([["Carol", "ada", "bob", "cn=dan,dc=shop"], { total: 4, hasNext: false }]);
    expect((await users("page=1&size=2"))[1]).toEqual({ total: 4, hasNext: true });
    expect((await users("page=1&size=9&query=aro"))[0]).toEqual(["Carol"]);
    expect((await users("page=1&size=9&query=data"))[0]).toEqual(["ada"]);
    expect((await users("page=1&size=9&query=%25"))[0]).toEqual([]);
  });
});
