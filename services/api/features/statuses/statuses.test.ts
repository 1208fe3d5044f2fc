import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import type { Context } from "#platform/context.ts";
import { statusRoutes } from "#services/api/features/statuses/routes.ts";
import { switchDueStatuses } from "#services/housekeeping/expiry.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import {
  group,
  insertEdges,
  insertEntities,
  insertMembers,
  livePairs,
  outboxAfter,
  outboxHead,
} from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

const now = Date.parse("2030-05-01T12:00:00.000Z");
let t: TestDatabase;
let context: Context;
let api: TestApi;
beforeAll(async () => {
  t = await testDatabase();
  context = testContext(t, { clock: { ...systemClock, now: () => now } });
  api = testApi(statusRoutes(context), context);
});
afterAll(async () => {
  await context.wakeups.close();
  await t.drop();
});

function put(id: number, status: string, more: { time?: string; propagate?: boolean } = {}) {
  return api.put(`/api/dataentities/${id}/statuses`, {
    status: { status, ...(more.time ? { status_switch_time: more.time } : {}) },
    propagate: more.propagate,
  });
}

async function statusesOf(ids: number[]): Promise<string[]> {
  const rows = await t.db.query<{ status: string }>(
    "SELECT status_name(status) AS status FROM data_entity WHERE id = ANY($1) ORDER BY id",
    [ids],
  );
  return rows.map((row) => row.status);
}

function eventsOf(id: number) {
  return t.db.query(
    `SELECT event_type, created_by, system_event, old_state, new_state
       FROM activity WHERE entity_id = $1 ORDER BY id`,
    [id],
  );
}

describe("updateStatus", () => {
  it("200: sets a lasting status, drops its time, and records it", async () => {
    const { a } = await insertEntities(t.db, ["a"]);
    const answer = await put(a!, "STABLE", { time: "2031-01-01T00:00:00Z" });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ status: "STABLE", status_switch_time: null });
    expect(await eventsOf(a!)).toEqual([{
      event_type: "DATA_ENTITY_STATUS_UPDATED",
      created_by: null,
      system_event: false,
      old_state: { status: { status: { status: "UNASSIGNED" } } },
      new_state: { status: { status: { status: "STABLE" } } },
    }]);
  });

  it("200: writes no event and no outbox row when nothing changes", async () => {
    const { a } = await insertEntities(t.db, ["a"]);
    const head = await outboxHead(t.db);
    expect((await put(a!, "UNASSIGNED")).status).toBe(200);
    expect(await eventsOf(a!)).toEqual([]);
    expect(await outboxAfter(t.db, head)).toEqual([]);
  });

  it("200: keeps a temporary status with its time in UTC", async () => {
    const { a } = await insertEntities(t.db, ["a"]);
    const answer = await put(a!, "DRAFT", { time: "2030-05-01T14:00:00.001+02:00" });
    expect(answer.json).toEqual({
      status: "DRAFT",
      status_switch_time: "2030-05-01T12:00:00.001Z",
    });
  });

  it.each([
    ["DRAFT", undefined],
    ["DEPRECATED", undefined],
    ["DRAFT", "2030-05-01T12:00:00.000Z"],
    ["DEPRECATED", "2030-05-01T11:59:59.999Z"],
  ])("400: %s with time %s names the field", async (status, time) => {
    const { a } = await insertEntities(t.db, ["a"]);
    const answer = await put(a!, status, time ? { time } : {});
    expect(answer.status).toBe(400);
    expect(answer.json.details[0].field).toBe("status.status_switch_time");
    expect(await statusesOf([a!])).toEqual(["UNASSIGNED"]);
  });

  it("400: an unknown status and a time without offset", async () => {
    const { a } = await insertEntities(t.db, ["a"]);
    const unknown = await put(a!, "GONE");
    expect([unknown.status, unknown.json.details[0].field]).toEqual([400, "status.status"]);
    const local = await put(a!, "DRAFT", { time: "2031-01-01T00:00:00" });
    expect(local.status).toBe(400);
    expect(local.json.details[0].field).toBe("status.status_switch_time");
    const late = await put(a!, "DRAFT", { time: "9999-12-31T23:59:59-05:00" });
    expect([late.status, late.json.details[0].message])
      .toEqual([400, "must lie in the years 1 to 9999"]);
  });

  it("404: an unknown entity and a hollow one", async () => {
    const { h } = await insertEntities(t.db, [{ name: "h", hollow: true }]);
    expect((await put(999_999_999, "STABLE")).status).toBe(404);
    const answer = await put(h!, "DELETED");
    expect([answer.status, answer.json.code]).toEqual([404, "USR002"]);
  });

  it("hides a deleted entity's edges and restores them all, whoever declared them", async () => {
    const ids = await insertEntities(t.db, ["job", "a", "b", "c"]);
    const { job, a, b, c } = ids as Record<"job" | "a" | "b" | "c", number>;
    await insertEdges(t.db, [[job, a, b], [b, a, b], [c, b, c], [a, a, a]]);
    const head = await outboxHead(t.db);
    await put(b, "DELETED");
    expect(await livePairs(t.db, ids)).toEqual(["a>a"]);
    await put(b, "STABLE");
    expect(await livePairs(t.db, ids)).toEqual(["a>a", "a>b", "b>c"]);
    expect(await outboxAfter(t.db, head)).toEqual([[b], [b]]);
    const history = await t.db.query(
      "SELECT until >= since AS closed FROM entity_deletion WHERE entity_id = $1",
      [b],
    );
    expect(history).toEqual([{ closed: true }]);
  });

  it("propagates through nested groups and membership loops, and not to hollow members", async () => {
    const ids = await insertEntities(t.db, [
      group("outer"),
      group("inner"),
      "a",
      "b",
      "other",
      { name: "h", hollow: true },
    ]);
    const { outer, inner, a, b, other, h } = ids as Record<string, number>;
    await insertMembers(t.db, [
      [outer!, inner!],
      [inner!, a!],
      [inner!, outer!],
      [outer!, b!],
      [outer!, h!],
    ]);
    const answer = await put(outer!, "DELETED", { propagate: true });
    expect(answer.status).toBe(200);
    expect(await statusesOf([outer!, inner!, a!, b!])).toEqual(Array(4).fill("DELETED"));
    expect(await statusesOf([other!, h!])).toEqual(["UNASSIGNED", "UNASSIGNED"]);
    expect((await eventsOf(a!)).length).toBe(1);
  });

  it("leaves the members alone without propagate", async () => {
    const { g, a } = await insertEntities(t.db, [group("g"), "a"]);
    await insertMembers(t.db, [[g!, a!]]);
    await put(g!, "DELETED");
    expect(await statusesOf([g!, a!])).toEqual(["DELETED", "UNASSIGNED"]);
  });

  it("keeps edges true to both ends when neighbours change at once", async () => {
    const ids = await insertEntities(t.db, ["a", "b", "c"]);
    const { a, b, c } = ids as Record<string, number>;
    await insertEdges(t.db, [[a!, a!, b!], [b!, b!, c!], [c!, c!, a!]]);
    await Promise.all([a!, b!, c!].flatMap((id) => [put(id, "DELETED"), put(id, "STABLE")]));
    await Promise.all([put(a!, "STABLE"), put(b!, "DELETED"), put(c!, "STABLE")]);
    expect(await livePairs(t.db, ids)).toEqual(["c>a"]);
  });
});

describe("switchDueStatuses", () => {
  it("deletes what is due at exactly its time, as a system event, and nothing later", async () => {
    await t.db.query("UPDATE data_entity SET status = 1, status_switch_at = NULL");
    const ids = await insertEntities(t.db, ["before", "exact", "after", "lasting"]);
    const { before, exact, after, lasting } = ids as Record<string, number>;
    await insertEdges(t.db, [[exact!, exact!, after!]]);
    await put(before!, "DRAFT", { time: "2030-06-01T00:00:00.000Z" });
    await put(exact!, "DEPRECATED", { time: "2030-06-01T00:00:00.001Z" });
    await put(after!, "DRAFT", { time: "2030-06-01T00:00:00.002Z" });
    await put(lasting!, "STABLE");
    const at = new Date("2030-06-01T00:00:00.001Z");
    expect(await switchDueStatuses(t.db, at, 1)).toBe(1);
    expect(await statusesOf([before!, exact!])).toEqual(["DELETED", "DEPRECATED"]);
    expect(await switchDueStatuses(t.db, at, 10)).toBe(1);
    expect(await switchDueStatuses(t.db, at, 10)).toBe(0);
    expect(await statusesOf([before!, exact!, after!, lasting!]))
      .toEqual(["DELETED", "DELETED", "DRAFT", "STABLE"]);
    expect(await livePairs(t.db, ids)).toEqual([]);
    expect((await eventsOf(exact!)).at(-1)).toEqual({
      event_type: "DATA_ENTITY_STATUS_UPDATED",
      created_by: null,
      system_event: true,
      old_state: {
        status: {
          status: { status: "DEPRECATED", status_switch_time: "2030-06-01T00:00:00.001Z" },
        },
      },
      new_state: { status: { status: { status: "DELETED" } } },
    });
  });
});
