import { describe, expect, it, test } from "vitest";
import { NotificationDelivery, NotificationDeliveryList } from "#contract/catalogue/alerts.ts";
import { notificationRoutes } from "#services/api/features/notifications/routes.ts";
import { featureUnderTest } from "#test/support/http/feature.ts";
import {
  type SeedAttempt,
  type SeedDelivery,
  seedDelivery,
} from "#test/support/seed/seed-delivery.ts";

const { api, database } = featureUnderTest(notificationRoutes);
const path = "/api/notifications/deliveries";

const seed = (given: SeedDelivery) => seedDelivery(database.db, given);
const list = async (query: string) =>
  NotificationDeliveryList.parse((await api.get(`${path}?page=1&size=50&${query}`)).json);
const retries = (n: number): SeedAttempt[] =>
  Array.from({ length: n }, () => ({ outcome: "retry", status: 503, cause: "it failed (503)" }));

describe("getNotificationDeliveries", () => {
  it("200: tells of each delivery with its attempts in order", async () => {
    const { id, eventId } = await seed({
      alertId: 71,
      entityId: 72,
      alertType: "DISTRIBUTION_ANOMALY",
      eventType: "REOPENED",
      channel: "email",
      recipient: "ada@a.example",
      state: "failed",
      reason: "the recipient is refused (550)",
      createdAt: "2026-03-01T10:00:00.000Z",
      attempts: [...retries(1), { outcome: "refused", status: 550, cause: "refused" }],
    });
    const at = "2026-03-01T10:00:00.000Z";
    const attempt = { at, duration_ms: 5 };
    const answer = await api.get(`${path}?page=1&size=1&alert_id=71`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      items: [{
        id,
        event_id: eventId,
        kind: "EVENT",
        alert_id: 71,
        entity_id: 72,
        alert_type: "DISTRIBUTION_ANOMALY",
        event_type: "REOPENED",
        event_at: at,
        channel: "email",
        recipient: "ada@a.example",
        state: "FAILED",
        reason: "the recipient is refused (550)",
        merged_into: null,
        created_at: at,
        due_at: null,
        ended_at: at,
        attempt_count: 2,
        attempts: [
          { ...attempt, number: 1, outcome: "RETRY", status: 503, cause: "it failed (503)" },
          { ...attempt, number: 2, outcome: "REFUSED", status: 550, cause: "refused" },
        ],
      }],
      page_info: { total: 1, hasNext: false },
    });
    expect(NotificationDeliveryList.safeParse(answer.json).success).toBe(true);
  });

  it("200: pages newest first", async () => {
    const made = [];
    for (const day of [1, 2, 3]) {
      made.unshift((await seed({ alertId: 80, createdAt: `2026-04-0${day}T00:00:00Z` })).id);
    }
    const ids = async (page: number) => {
      const { json } = await api.get(`${path}?page=${page}&size=2&alert_id=80`);
      return [json.items.map((item: { id: string }) => item.id), json.page_info];
    };
    expect(await ids(1)).toEqual([made.slice(0, 2), { total: 3, hasNext: true }]);
    expect(await ids(2)).toEqual([made.slice(2), { total: 3, hasNext: false }]);
    expect(await ids(3)).toEqual([[], { total: 3, hasNext: false }]);
    const plain = (await api.get(path)).json;
    expect(plain.items.length).toBe(Math.min(30, plain.page_info.total));
  });

  it("200: narrows by everything at once or apart", async () => {
    const alertId = 90;
    const { id, eventId } = await seed({
      alertId,
      entityId: 91,
      channel: "chat",
      recipient: "hooks.example",
      state: "delivered",
      createdAt: "2026-05-02T00:00:00Z",
    });
    const other = await seed({
      alertId,
      entityId: 92,
      recipient: "HOOKS.example",
      createdAt: "2026-05-03T00:00:00Z",
    });
    const found = async (query: string) =>
      (await list(`alert_id=90&${query}`)).items.map((item) => item.id);
    expect(await found("")).toEqual([other.id, id]);
    for (
      const [query, expected] of [
        ["state=DELIVERED", id],
        ["state=PENDING", other.id],
        ["channel=chat", id],
        ["recipient=hooks.example", id],
        ["entity_id=92", other.id],
        [`event_id=${eventId}`, id],
        ["begin_date=2026-05-03T00:00:00Z", other.id],
        ["end_date=2026-05-03T00:00:00Z", id],
        [
          `state=DELIVERED&channel=chat&recipient=hooks.example&entity_id=91&event_id=${eventId}`,
          id,
        ],
      ] as const
    ) expect([query, await found(query)]).toEqual([query, [expected]]);
    expect(await found("state=DELIVERED&channel=webhook")).toEqual([]);
  });

  it("200: shows the newest twenty attempts, and says how many there were", async () => {
    const { id } = await seed({ alertId: 95, attempts: retries(25) });
    const [item] = (await list("alert_id=95")).items;
    expect(item).toMatchObject({ attempt_count: 25 });
    expect(item!.attempts.map((a) => a.number)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 6),
    );
    const one = await api.get(`${path}/${id}`);
    expect(NotificationDelivery.parse(one.json).attempts).toHaveLength(25);
  });

  it.each([
    ["page=0", "page"],
    ["page=1&size=1001", "size"],
    ["page=1&size=1&state=failed", "state"],
    ["page=1&size=1&channel=pigeon", "channel"],
    ["page=1&size=1&alert_id=0", "alert_id"],
    ["page=1&size=1&event_id=x", "event_id"],
    ["page=1&size=1&begin_date=yesterday", "begin_date"],
    ["page=1&size=1&recipient=%00", "recipient"],
  ])("400: %s names %s", async (query, field) => {
    const answer = await api.get(`${path}?${query}`);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, field]);
  });
});

test.each([
  ["get", "", "one"],
  ["post", "/resend", "one"],
])(
  "getNotificationDelivery, resendNotificationDelivery 400: %s of no UUID",
  async (method, tail) => {
    const answer = await api.send(method, `${path}/one${tail}`);
    expect([answer.status, answer.json.details[0].field]).toEqual([400, "delivery_id"]);
  },
);

test.each([["get", ""], ["post", "/resend"]])(
  "getNotificationDelivery, resendNotificationDelivery 404: %s of an unknown one",
  async (method, tail) => {
    const answer = await api.send(method, `${path}/${crypto.randomUUID()}${tail}`);
    expect([answer.status, answer.json.code]).toEqual([404, "USR002"]);
  },
);

describe("resendNotificationDelivery", () => {
  it("200: a failed one is pending again, due now, with its attempts and a budget of its own", async () => {
    const { id } = await seed({ state: "failed", reason: "refused", attempts: retries(2) });
    const answer = await api.post(`${path}/${id}/resend`);
    expect(answer.status).toBe(200);
    expect(NotificationDelivery.parse(answer.json)).toMatchObject({
      id,
      state: "PENDING",
      reason: null,
      ended_at: null,
      attempt_count: 2,
    });
    const rows = await database.db.query(
      "SELECT spent_ms, due_at <= now() AS due FROM delivery WHERE id = $1",
      [id],
    );
    expect(rows).toEqual([{ spent_ms: 0, due: true }]);
  });

  it.each(["pending", "held", "delivered", "suppressed", "merged"] as const)(
    "400 USR003: a %s one stays as it is",
    async (state) => {
      const { id } = await seed({ state });
      const answer = await api.post(`${path}/${id}/resend`);
      expect([answer.status, answer.json.code]).toEqual([400, "USR003"]);
      expect(answer.json.message).toContain(state.toUpperCase());
      expect((await api.get(`${path}/${id}`)).json.state).toBe(state.toUpperCase());
    },
  );
});
