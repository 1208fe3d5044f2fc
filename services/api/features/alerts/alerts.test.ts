import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { alertStatuses, alertTypes } from "#contract/alerts.ts";
import { Alert, AlertCountInfo, AlertList, AlertTotals } from "#contract/catalogue/alerts.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { alertRoutes } from "#services/api/features/alerts/routes.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { bindUser, calledBy } from "#test/support/http/caller.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import {
  seedAlert,
  seedEdge,
  seedEntity,
  seedNamespace,
  seedOwnership,
  seedSource,
  seedTag,
} from "#test/support/seed/seed.ts";

let t: TestDatabase;
let anyone: TestApi;
let ada: TestApi;
let close: () => Promise<void>;
const ids: Record<string, number> = {};
const alerts: Record<string, number> = {};

const day = (n: number) => `2026-03-${String(n).padStart(2, "0")}T00:00:00.000Z`;
const list = async (api: TestApi, query = "") => {
  const answer = await api.get(`/api/alerts/list?${query}`);
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return z.array(Alert).parse(answer.json);
};
const named = (found: { id: number }[]) =>
  found.map(({ id }) => Object.keys(alerts).find((name) => alerts[name] === id));

// Lineage: far > up > mine > down > below; `aside` has no edges. Ada owns `mine`.
beforeAll(async () => {
  t = await testDatabase();
  const context = testContext(t, { graph: new PostgresGraph(t.db) });
  anyone = testApi(alertRoutes(context));
  ada = testApi(calledBy("ada", alertRoutes(context)));
  close = () => context.wakeups.close();
  const sourceId = await seedSource(t.db, { catrn: "//s", namespace: "sales" });
  const hand = await seedNamespace(t.db, "hand");
  for (const name of ["far", "up", "mine", "down", "below", "aside"]) {
    ids[name] = await seedEntity(t.db, {
      name,
      sourceId: name === "aside" ? null : sourceId,
      namespaceId: name === "aside" ? hand : null,
    });
  }
  ids.hollow = await seedEntity(t.db, { hollow: true });
  ids.gone = await seedEntity(t.db, { name: "gone", status: 5 });
  const pairs = [["far", "up"], ["up", "mine"], ["mine", "down"], ["down", "below"]];
  for (const [parent, child] of pairs) await seedEdge(t.db, ids[parent!]!, ids[child!]!);
  const order = ["far", "up", "mine", "down", "below", "aside", "hollow", "gone"];
  for (const [at, name] of order.entries()) {
    alerts[name] = await seedAlert(t.db, ids[name]!, { lastCreatedAt: day(at + 1) });
  }
  alerts.orphan = await seedAlert(t.db, null, { type: 4, lastCreatedAt: day(9) });
  alerts.old = await seedAlert(t.db, ids.mine!, {
    type: 3,
    status: 2,
    lastCreatedAt: day(1),
    chunks: ["one", "two"],
  });
  await seedOwnership(t.db, ids.mine!, "Ada");
  await seedTag(t.db, ids.aside!, "pii");
  await bindUser(t.db, "ada", "Ada");
});
afterAll(async () => {
  await close();
  await t.drop();
});

describe("getAlertsList", () => {
  it("200: everything, the last raised first, orphans and hollow ones too, deleted ones not", async () => {
    const found = await list(anyone);
    const order = ["orphan", "hollow", "aside", "below", "down", "mine", "up", "old", "far"];
    expect(named(found)).toEqual(order);
    expect(found[0]).toMatchObject({ type: "DISTRIBUTION_ANOMALY", data_entity: null });
    expect(found[1]!.data_entity).toMatchObject({ id: ids.hollow, has_alerts: true });
  });

  it("200: what an alert says, newest first; its entity has alerts whatever its status", async () => {
    await t.db.query(
      "UPDATE alert SET status_updated_by = 'ada', status_updated_at = $2 WHERE id = $1",
      [alerts.old, day(2)],
    );
    const [old] = await list(anyone, "status=RESOLVED");
    expect(old).toMatchObject({
      id: alerts.old,
      type: "FAILED_JOB",
      status: "RESOLVED",
      data_entity: { external_name: "mine", has_alerts: true },
      status_updated_by: { identity: { username: "ada" }, owner: { name: "Ada" } },
      status_updated_at: day(2),
      last_created_at: day(1),
      description: "two",
      alert_chunk_list: [
        { created_at: "2026-03-01T00:00:01.000Z", description: "two" },
        { created_at: day(1), description: "one" },
      ],
    });
  });

  it("200: views are seen from what the caller owns, one hop away, without it", async () => {
    expect(named(await list(ada, "type=MY_OBJECTS"))).toEqual(["mine", "old"]);
    expect(named(await list(ada, "type=UPSTREAM"))).toEqual(["up"]);
    expect(named(await list(ada, "type=DOWNSTREAM"))).toEqual(["down"]);
    for (const view of ["MY_OBJECTS", "UPSTREAM", "DOWNSTREAM"]) {
      expect(await list(anyone, `type=${view}`)).toEqual([]);
    }
  });

  it("200: a period takes its begin and leaves out its end", async () => {
    const query = `begin_date=${day(2)}&end_date=${day(4)}`;
    expect(named(await list(anyone, query))).toEqual(["mine", "up"]);
    expect(named(await list(anyone, "begin_date=2026-03-09T01:00:00%2B01:00"))).toEqual(["orphan"]);
  });

  it("200: narrowed by source, namespace, tag and owner", async () => {
    const id = async (table: string, name: string) =>
      (await t.db.query<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [name]))[0]!.id;
    const [source] = await t.db.query<{ id: number }>("SELECT id FROM data_source");
    expect(named(await list(anyone, `datasource_id=${source!.id}&size=2`))).toEqual([
      "below",
      "down",
    ]);
    const sales = await id("namespace", "sales");
    expect(await list(anyone, `namespace_id=${sales}`)).toHaveLength(6);
    const hand = await id("namespace", "hand");
    expect(named(await list(anyone, `namespace_id=${hand}`))).toEqual(["aside"]);
    const tag = await id("tag", "pii");
    expect(named(await list(anyone, `tag_ids=${tag},999999`))).toEqual(["aside"]);
    const owner = await id("owner", "Ada");
    expect(named(await list(anyone, `owner_ids=${owner}&owner_ids=999999`)))
      .toEqual(["mine", "old"]);
  });

  it("200: pages", async () => {
    expect(named(await list(anyone, "page=2&size=4"))).toEqual(["down", "mine", "up", "old"]);
    expect(await list(anyone, "page=9&size=4")).toEqual([]);
  });

  it("400: names what is wrong", async () => {
    const wrong = [
      "type=NEAR",
      "alert_type=NONE",
      "status=CLOSED",
      "begin_date=yesterday",
      "size=1001",
      "tag_ids=a",
    ];
    for (const query of wrong) {
      const answer = await anyone.get(`/api/alerts/list?${query}`);
      expect([answer.status, answer.json.details[0].field]).toEqual([400, query.split("=")[0]]);
    }
  });
});

describe("getAlertCounts", () => {
  it("200: what each view holds, by the same filters", async () => {
    const count = async (query = "") =>
      AlertCountInfo.parse((await ada.get(`/api/alerts/counts?${query}`)).json);
    expect(await count()).toEqual({
      total_count: 9,
      my_objects_count: 2,
      downstream_count: 1,
      upstream_count: 1,
    });
    expect(await count(`status=OPEN&end_date=${day(3)}`)).toEqual({
      total_count: 2,
      my_objects_count: 0,
      downstream_count: 0,
      upstream_count: 1,
    });
  });
});

describe("the deprecated lists", () => {
  const tab = async (path: string) => {
    const list = AlertList.parse((await ada.get(`/api/alerts${path}?page=1&size=3`)).json);
    return [named(list.items), list.page_info];
  };

  it("getAllAlerts, getAssociatedUserAlerts, getDependentEntitiesAlerts 200: open ones", async () => {
    expect(await tab("")).toEqual([["orphan", "hollow", "aside"], { total: 8, hasNext: true }]);
    expect(await tab("/my")).toEqual([["mine"], { total: 1, hasNext: false }]);
    expect(await tab("/dependents")).toEqual([["up", "far"], { total: 2, hasNext: false }]);
  });

  it("getAlertTotals 200: as many as the lists hold, nothing of one's own without an owner", async () => {
    const totals = async (api: TestApi) =>
      AlertTotals.parse((await api.get("/api/alerts/totals")).json);
    expect(await totals(ada)).toEqual({ total: 8, my_total: 1, dependent_total: 2 });
    expect(await totals(anyone)).toEqual({ total: 8, my_total: 0, dependent_total: 0 });
  });

  it("say when a budget cut the walk upstream", async () => {
    const context = testContext(t, { graph: new PostgresGraph(t.db) });
    const lineage = { ...context.config.lineage, "max-nodes": 2 };
    const config = { ...context.config, lineage };
    const api = testApi(calledBy("ada", alertRoutes({ ...context, config })));
    const answer = await api.get("/api/alerts/dependents?page=1&size=9");
    expect(answer.headers.get("x-lineage-truncated")).toBe("nodes");
    await context.wakeups.close();
  });
});

describe("alerts of one entity", () => {
  it("200: all of them, also of a deleted entity", async () => {
    const of = (name: string, rest: string) =>
      ada.get(`/api/dataentities/${ids[name]}/alerts${rest}`);
    const page = AlertList.parse((await of("mine", "?page=1&size=1")).json);
    expect([named(page.items), page.page_info]).toEqual([["mine"], { total: 2, hasNext: true }]);
    expect(named((await of("mine", "/list?status=RESOLVED")).json)).toEqual(["old"]);
    expect(named((await of("mine", `/list?begin_date=${day(2)}`)).json)).toEqual(["mine"]);
    expect(named((await of("gone", "/list")).json)).toEqual(["gone"]);
    expect((await of("mine", "/counts?status=OPEN")).json).toBe(1);
    expect((await of("aside", "/counts?status=RESOLVED")).json).toBe(0);
  });

  it("404 for an unknown entity, 400 without a status to count", async () => {
    for (const rest of ["?page=1&size=1", "/list", "/counts?status=OPEN"]) {
      expect((await ada.get(`/api/dataentities/999999/alerts${rest}`)).status).toBe(404);
    }
    const answer = await ada.get(`/api/dataentities/${ids.mine}/alerts/counts`);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "status"]);
  });
});

it("names in the database are those of the contract", async () => {
  const [row] = await t.db.query(
    `SELECT ARRAY(SELECT alert_type_name(n::smallint) FROM generate_series(1, $1) n) AS types,
            ARRAY(SELECT alert_status_name(n::smallint) FROM generate_series(1, $2) n) AS statuses`,
    [alertTypes.length, alertStatuses.length],
  );
  expect(row).toEqual({ types: [...alertTypes], statuses: [...alertStatuses] });
});
