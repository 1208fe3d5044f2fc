import { describe, expect, it } from "vitest";
import { eventsOf } from "#test/support/seed/catalogue.ts";
import { seedEntity } from "#test/support/seed/seed.ts";
import { maxAlertBody } from "./router.ts";
import { firing, link, path, routerHarness, send } from "./testing/harness.ts";

const h = routerHarness();

describe("the alert router without alerts.deduplicate", () => {
  it("200: every item of every delivery is an open anomaly of its own", async () => {
    const entity = await seedEntity(h().t.db, { catrn: "//router/a" });
    await send(h().each, firing("//router/a"), firing("//router/a"));
    await send(h().each, firing("//router/a", { status: "resolved" }));
    const one = {
      id: expect.any(Number),
      type: 4,
      status: 1,
      messenger_id: null,
      at: "2026-05-01T11:00:00.000Z",
      chunks: [link],
      events: ["CREATED"],
    };
    expect(await h().stored("//router/a")).toEqual([one, one, one]);
    expect(await eventsOf(h().t.db, entity)).toEqual(
      Array(3).fill({
        event_type: "OPEN_ALERT_RECEIVED",
        old_state: {},
        new_state: {
          open_alert_received: {
            type: "DISTRIBUTION_ANOMALY",
            chunks: [{ triggered_at: "2026-05-01T11:00:00.000Z", description: link }],
          },
        },
      }),
    );
  });

  it("200: without a label it is stored on no entity, with the time of receipt", async () => {
    await send(h().each, {}, { labels: { entity_catrn: "" }, generatorURL: null });
    const orphan = { at: "2026-05-01T12:00:00.000Z", chunks: ["Distribution anomaly"] };
    expect(await h().stored(null)).toMatchObject([orphan, orphan]);
    const events = await h().t.db.query(
      "SELECT entity_id FROM alert_event WHERE entity_id IS NULL",
    );
    expect(events).toHaveLength(2);
  });

  it("200: an unknown entity is made hollow, once, whoever asks at the same time", async () => {
    const calls = Array.from(
      { length: 8 },
      (_, i) =>
        send(
          h().each,
          firing("//router/new/b"),
          firing("//router/new/a"),
          firing(`//router/new/${i}`),
        ),
    );
    await Promise.all(calls);
    const made = await h().t.db.query(
      "SELECT hollow, excluded_from_search AS hidden FROM data_entity WHERE catrn LIKE '//router/new/%'",
    );
    expect(made).toEqual(Array(10).fill({ hollow: true, hidden: true }));
    expect(await h().stored("//router/new/a")).toHaveLength(8);
  });

  it("200: the upstream spelling of the label", async () => {
    await send(h().each, { labels: { entity_oddrn: "//router/oddrn" } });
    expect(await h().stored("//router/oddrn")).toHaveLength(1);
  });

  it("200: no alerts, and nothing is written", async () => {
    const before = (await h().t.db.query("SELECT count(*) FROM alert"))[0];
    for (const body of [{}, { alerts: null }, { alerts: [] }, { status: "firing" }]) {
      expect((await h().each.post(path, body)).status).toBe(200);
    }
    expect((await h().t.db.query("SELECT count(*) FROM alert"))[0]).toEqual(before);
  });

  it("200: 10,000 at once, in the order told", async () => {
    const alerts = Array.from(
      { length: 10_000 },
      (_, i) => firing("//router/many", { generatorURL: `/n/${i}` }),
    );
    await send(h().each, ...alerts);
    const rows = await h().stored("//router/many");
    expect(rows).toHaveLength(10_000);
    expect(rows.map((row) => Number(/\d+/.exec(row.chunks[0]!)![0])))
      .toEqual(alerts.map((_, i) => i));
  });

  it("200: labels are texts or numbers of any size", async () => {
    const alert = JSON.stringify(
      firing("//router/numbers", { labels: { entity_catrn: "//router/numbers", n: 0 } }),
    );
    const numbers = ["9007199254740993", "-9".padEnd(40, "9"), "1e300", "0.1"];
    const alerts = numbers.map((n) => alert.replace('"n":0', `"n":${n}`));
    const body = `{"alerts":[${alerts.join(",")}]}`;
    for (const api of [h().each, h().once]) {
      expect((await api.post(path, body)).status).toBe(200);
    }
    // Received again, each one says something else of its own open alert.
    const stored = await h().stored("//router/numbers");
    expect(stored.map(({ chunks }) => chunks.length)).toEqual(numbers.map(() => 2));
  });

  it("400, 413: says what is wrong and takes nothing of the call", async () => {
    const wrong = await h().each.post(path, {
      alerts: [firing("//router/none"), { startsAt: "soon" }],
    });
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "alerts[1].startsAt"]);
    const late = await h().each.post(path, { alerts: [{ startsAt: "9999-12-31T23:59:59-05:00" }] });
    expect([late.status, late.json.details]).toEqual([400, [
      { field: "alerts[0].startsAt", message: "must lie in the years up to 9999" },
    ]]);
    expect(await h().stored("//router/none")).toEqual([]);
    for (const body of ["", "nonsense", "[]"]) {
      expect([body, (await h().each.post(path, body)).status]).toEqual([body, 400]);
    }
    const large = await h().each.post(path, JSON.stringify({ x: "y".repeat(maxAlertBody) }));
    expect([large.status, large.json.code]).toEqual([413, "USR001"]);
  });
});
