import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import type { LineageGraph } from "#graph/port.ts";
import { Config } from "#platform/config/schema.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";
import { eventsOf } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seedAlert, seedEntity } from "#test/support/seed/seed.ts";
import { maxAlertBody } from "./router.ts";
import { ingestionRoutes } from "../routes.ts";

const now = Date.parse("2026-05-01T12:00:00.000Z");
const path = "/ingestion/alert/alertrouter";
let t: TestDatabase;
let plain: TestApi;
let deduplicating: TestApi;
const closing: (() => void | Promise<void>)[] = [];

function openApi(alerts?: object): TestApi {
  const context = testContext(t, {
    config: Config.parse({ instance: t.name, alerts }),
    graph: { projection: "inline" } as LineageGraph,
    clock: { ...systemClock, now: () => now },
  });
  const feature = ingestionRoutes(context);
  closing.push(() => feature.stop(), () => context.wakeups.close());
  return testApi(feature.routes, context);
}

beforeAll(async () => {
  t = await testDatabase();
  plain = openApi({ deduplicate: false });
  deduplicating = openApi();
});
afterAll(async () => {
  for (const close of closing) await close();
  await t.drop();
});

interface Stored extends Record<string, unknown> {
  id: number;
  status: number;
  chunks: string[];
  events: string[];
}

const stored = (catrn: string | null) =>
  t.db.query<Stored>(
    `SELECT a.id, a.type, a.status, a.messenger_id, iso(a.last_created_at) AS at,
            ARRAY(SELECT c.description FROM alert_chunk c WHERE c.alert_id = a.id ORDER BY c.id)
              AS chunks,
            ARRAY(SELECT event_type FROM alert_event v WHERE v.alert_id = a.id ORDER BY v.id)
              AS events
       FROM alert a LEFT JOIN data_entity e ON e.id = a.entity_id
      WHERE e.catrn IS NOT DISTINCT FROM $1 ORDER BY a.id`,
    [catrn],
  );
const firing = (catrn: string, more: object = {}) => ({
  status: "firing",
  labels: { alertname: "Skew", severity: "page", entity_catrn: catrn },
  annotations: {},
  startsAt: "2026-05-01T11:00:00Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "http://prometheus/graph?g0.expr=up",
  ...more,
});
const send = async (api: TestApi, ...alerts: object[]) => {
  const answer = await api.post(path, { version: "4", receiver: "catalogue", alerts });
  expect([answer.status, answer.text]).toEqual([200, ""]);
};
const link = "http://prometheus/graph?g0.expr=up&g0.moment_input=2026-05-01%2011%3A00%3A00" +
  "&g0.end_input=2026-05-01%2011%3A00%3A00";

describe("the alert router without alerts.deduplicate", () => {
  it("200: every item of every delivery is an open anomaly of its own", async () => {
    const entity = await seedEntity(t.db, { catrn: "//router/a" });
    await send(plain, firing("//router/a"), firing("//router/a"));
    await send(plain, firing("//router/a", { status: "resolved" }));
    const one = {
      id: expect.any(Number),
      type: 4,
      status: 1,
      messenger_id: null,
      at: "2026-05-01T11:00:00.000Z",
      chunks: [link],
      events: ["CREATED"],
    };
    expect(await stored("//router/a")).toEqual([one, one, one]);
    expect(await eventsOf(t.db, entity)).toEqual(
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

  it("200: without a label it is kept on no entity, with the time of receipt", async () => {
    await send(plain, {}, { labels: { entity_catrn: "" }, generatorURL: null });
    const orphan = { at: "2026-05-01T12:00:00.000Z", chunks: ["Distribution anomaly"] };
    expect(await stored(null)).toMatchObject([orphan, orphan]);
    const events = await t.db.query(
      "SELECT entity_id FROM alert_event WHERE entity_id IS NULL",
    );
    expect(events).toHaveLength(2);
  });

  it("200: an unknown entity is made hollow, once, whoever asks at the same time", async () => {
    const calls = Array.from(
      { length: 8 },
      (_, i) =>
        send(
          plain,
          firing("//router/new/b"),
          firing("//router/new/a"),
          firing(`//router/new/${i}`),
        ),
    );
    await Promise.all(calls);
    const made = await t.db.query(
      "SELECT hollow, excluded_from_search AS hidden FROM data_entity WHERE catrn LIKE '//router/new/%'",
    );
    expect(made).toEqual(Array(10).fill({ hollow: true, hidden: true }));
    expect(await stored("//router/new/a")).toHaveLength(8);
  });

  it("200: the upstream spelling of the label", async () => {
    await send(plain, { labels: { entity_oddrn: "//router/oddrn" } });
    expect(await stored("//router/oddrn")).toHaveLength(1);
  });

  it("200: no alerts, and nothing is written", async () => {
    const before = (await t.db.query("SELECT count(*) FROM alert"))[0];
    for (const body of [{}, { alerts: null }, { alerts: [] }, { status: "firing" }]) {
      expect((await plain.post(path, body)).status).toBe(200);
    }
    expect((await t.db.query("SELECT count(*) FROM alert"))[0]).toEqual(before);
  });

  it("200: 10,000 at once, in the order told", async () => {
    const alerts = Array.from(
      { length: 10_000 },
      (_, i) => firing("//router/many", { generatorURL: `/n/${i}` }),
    );
    await send(plain, ...alerts);
    const rows = await stored("//router/many");
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
    for (const api of [plain, deduplicating]) {
      expect((await api.post(path, body)).status).toBe(200);
    }
    // Received again, each one says something else of its own open alert.
    const kept = await stored("//router/numbers");
    expect(kept.map(({ chunks }) => chunks.length)).toEqual(numbers.map(() => 2));
  });

  it("400, 413: says what is wrong and takes nothing of the call", async () => {
    const wrong = await plain.post(path, {
      alerts: [firing("//router/none"), { startsAt: "soon" }],
    });
    expect([wrong.status, wrong.json.details[0].field]).toEqual([400, "alerts[1].startsAt"]);
    const late = await plain.post(path, { alerts: [{ startsAt: "9999-12-31T23:59:59-05:00" }] });
    expect([late.status, late.json.details]).toEqual([400, [
      { field: "alerts[0].startsAt", message: "must lie in the years up to 9999" },
    ]]);
    expect(await stored("//router/none")).toEqual([]);
    for (const body of ["", "nonsense", "[]"]) {
      expect([body, (await plain.post(path, body)).status]).toEqual([body, 400]);
    }
    const large = await plain.post(path, JSON.stringify({ x: "y".repeat(maxAlertBody) }));
    expect([large.status, large.json.code]).toEqual([413, "USR001"]);
  });
});

describe("the alert router", () => {
  const text = `Skew: orders has 0 rows\n${link}`;
  const annotations = { summary: "orders has 0 rows" };
  const alert = (name: string, more: object = {}) =>
    firing(`//router/${name}`, { fingerprint: name, annotations, ...more });
  const over = { status: "resolved", endsAt: "2026-05-01T11:30:00Z" };
  const outcome = async (name: string) =>
    (await stored(`//router/${name}`)).map(({ status, chunks, events }) => ({
      status,
      chunks,
      events,
    }));
  const resolved = { status: 3, chunks: [text], events: ["CREATED", "RESOLVED_AUTOMATICALLY"] };

  it("makes firing, firing again and resolved one alert that is resolved", async () => {
    await send(deduplicating, alert("once"));
    await send(deduplicating, alert("once"));
    expect(await outcome("once")).toEqual([{ status: 1, chunks: [text], events: ["CREATED"] }]);
    await send(deduplicating, alert("once", over), alert("once-more"));
    await send(deduplicating, alert("once", over));
    expect(await outcome("once")).toEqual([resolved]);
  });

  it("changes nothing by a late delivery of what is over, also by the hand of a person", async () => {
    await send(deduplicating, alert("late"), alert("by-hand"));
    await send(deduplicating, alert("late", over));
    await t.db.query("UPDATE alert SET status = 2 WHERE id = $1", [
      (await stored("//router/by-hand"))[0]!.id,
    ]);
    await send(deduplicating, alert("late"), alert("by-hand"));
    expect(await outcome("late")).toEqual([resolved]);
    expect(await outcome("by-hand")).toEqual([{ status: 2, chunks: [text], events: ["CREATED"] }]);
  });

  it("opens another when it fires again, and the late end of the first leaves that open", async () => {
    const again = { startsAt: "2026-05-01T11:45:00Z" };
    await send(deduplicating, alert("again"));
    await send(deduplicating, alert("again", over));
    await send(deduplicating, alert("again", again));
    await send(deduplicating, alert("again", over));
    expect((await outcome("again")).map(({ status }) => status)).toEqual([3, 1]);
  });

  it("extends an open alert that fires anew, whose end resolves it once", async () => {
    const again = { startsAt: "2026-05-01T11:45:00Z" };
    await send(deduplicating, alert("anew"));
    await send(deduplicating, alert("anew", again));
    await send(deduplicating, alert("anew", over));
    await send(deduplicating, alert("anew"));
    const [one, ...others] = await outcome("anew");
    expect([one!.status, one!.chunks.length, one!.events, others])
      .toEqual([1, 2, ["CREATED", "UPDATED"], []]);
    await send(deduplicating, alert("anew", { ...over, ...again, endsAt: undefined }));
    expect((await outcome("anew")).map(({ status }) => status)).toEqual([3]);
  });

  it("makes what ends before it fires one alert that is resolved", async () => {
    await send(deduplicating, alert("crossed", over));
    expect(await outcome("crossed")).toEqual([]);
    await send(deduplicating, alert("crossed"));
    await send(deduplicating, alert("crossed"));
    expect(await outcome("crossed")).toEqual([resolved]);
  });

  it("adds what a repetition says anew, once", async () => {
    const other = { annotations: { summary: "orders has 1 row" } };
    await send(deduplicating, alert("text"));
    await send(deduplicating, alert("text", other), alert("text"));
    await send(deduplicating, alert("text", other));
    expect(await outcome("text")).toEqual([
      { status: 1, chunks: [text, `Skew: orders has 1 row\n${link}`], events: ["CREATED", "UPDATED"] },
    ]);
  });

  it("knows an alert without fingerprint by its labels", async () => {
    const plainly = { fingerprint: undefined };
    await send(deduplicating, alert("labels", plainly), alert("labels", { labels: { x: "1" } }));
    await send(deduplicating, alert("labels", plainly), alert("labels", { ...plainly, ...over }));
    expect(await outcome("labels")).toEqual([resolved]);
  });

  it("resolves all that a release opened which took each delivery for an alert", async () => {
    await send(plain, alert("before"), alert("before"));
    await send(deduplicating, alert("before", over));
    await send(deduplicating, alert("before"));
    expect((await outcome("before")).map(({ status }) => status)).toEqual([3, 3]);
  });

  it("makes one alert of the bodies of a storm, whatever they share and in which order", async () => {
    const names = Array.from({ length: 6 }, (_, i) => `storm-${i}`);
    const bodies = names.map((_, i) => [...names.slice(i), ...names.slice(0, i)]);
    await Promise.all(
      bodies.map((body) => send(deduplicating, ...body.map((name) => alert(name)))),
    );
    await Promise.all(
      bodies.map((body) => send(deduplicating, ...body.map((name) => alert(name, over)))),
    );
    for (const name of names) expect(await outcome(name)).toEqual([resolved]);
  });

  it.each([["halted", true], ["deleted", false]])(
    "raises and extends nothing on an entity that is %s, and resolves all the same",
    async (name, halts) => {
      const entity = await seedEntity(t.db, { catrn: `//router/${name}` });
      await send(deduplicating, alert(name, { fingerprint: `${name}-0` }));
      await t.db.query(
        halts
          ? `INSERT INTO alert_halt_config (entity_id, distribution_anomaly_halt_until)
             VALUES ($1, '2026-05-01T12:00:01Z')`
          : "UPDATE data_entity SET status = 5 WHERE id = $1",
        [entity],
      );
      const other = { fingerprint: `${name}-0`, annotations: { summary: "other" } };
      await send(deduplicating, alert(name), alert(name, other));
      await send(plain, alert(name));
      expect(await outcome(name)).toEqual([{ status: 1, chunks: [text], events: ["CREATED"] }]);
      await send(deduplicating, alert(name, { ...over, fingerprint: `${name}-0` }));
      expect(await outcome(name)).toEqual([resolved]);
      if (!halts) return;
      await t.db.query("UPDATE alert_halt_config SET distribution_anomaly_halt_until = $1", [
        "2026-05-01T12:00:00Z",
      ]);
      await send(deduplicating, alert(name));
      expect((await outcome(name)).map(({ status }) => status)).toEqual([3, 1]);
    },
  );

  it("leaves alerts alone that did not come from the router", async () => {
    const entity = await seedEntity(t.db, { catrn: "//router/other" });
    await seedAlert(t.db, entity, { type: 4 });
    await send(deduplicating, firing("//router/other"));
    await send(deduplicating, firing("//router/other", over));
    expect((await stored("//router/other")).map(({ status }) => status)).toEqual([1, 3]);
  });
});
