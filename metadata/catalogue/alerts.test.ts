import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  chunksOf,
  createAlerts,
  maxChunks,
  type NewAlert,
  resolveAlerts,
  stackAlerts,
} from "#metadata/catalogue/alerts.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const at = "2031-05-06T07:08:09.010Z";
let entity: number;
let test: number;
beforeEach(async () => {
  const ids = await insertEntities(t.db, ["entity", "test"]);
  entity = ids.entity!;
  test = ids.test!;
});

const alert = (more: Partial<NewAlert> = {}): NewAlert => ({
  entityId: entity,
  messengerId: null,
  type: "FAILED_JOB",
  chunks: chunksOf(["one", "two"], at),
  resolved: false,
  ...more,
});
const create = (...alerts: NewAlert[]) => t.db.transaction((tx) => createAlerts(tx, alerts, at));
const chunksBy = async (id: number) =>
  (await t.db.query<{ d: string }>(
    "SELECT description AS d FROM alert_chunk WHERE alert_id = $1 ORDER BY id",
    [id],
  )).map((row) => row.d);
const eventsOf = (id: number) =>
  t.db.query("SELECT * FROM alert_event WHERE alert_id = $1 ORDER BY id", [id]);

describe("createAlerts", () => {
  it("writes each alert with its chunks, its events and its activity, in the order given", async () => {
    const ids = await create(
      alert(),
      alert({ type: "FAILED_DQ_TEST", messengerId: test, chunks: chunksOf(["dq"], at) }),
      alert({ resolved: true, chunks: chunksOf(["over"], at) }),
    );
    expect([...ids].sort((a, b) => a! - b!)).toEqual(ids);
    expect(await t.db.query("SELECT * FROM alert WHERE id = ANY($1) ORDER BY id", [ids]))
      .toMatchObject([
        { type: 3, status: 1, messenger_id: null, status_updated_at: null },
        { type: 2, status: 1, messenger_id: test, entity_id: entity },
        { type: 3, status: 3, status_updated_at: new Date(at), last_created_at: new Date(at) },
      ]);
    expect(await chunksBy(ids[0]!)).toEqual(["one", "two"]);
    expect(await chunksBy(ids[2]!)).toEqual(["over"]);
    expect(await eventsOf(ids[2]!)).toMatchObject([
      { event_type: "CREATED", event_at: new Date(at), entity_id: entity, alert_type: 3 },
      { event_type: "RESOLVED_AUTOMATICALLY", updated_by: null, traceparent: null },
    ]);
    expect(
      await t.db.query(
        "SELECT event_type, system_event, new_state FROM activity WHERE entity_id = $1 ORDER BY id",
        [entity],
      ),
    ).toMatchObject([
      {
        event_type: "OPEN_ALERT_RECEIVED",
        system_event: true,
        new_state: {
          open_alert_received: {
            type: "FAILED_JOB",
            chunks: [
              { triggered_at: at, description: "one" },
              { triggered_at: at, description: "two" },
            ],
          },
        },
      },
      { event_type: "OPEN_ALERT_RECEIVED" },
      {
        event_type: "RESOLVED_ALERT_RECEIVED",
        new_state: { resolved_alert_received: { chunks: [{ description: "over" }] } },
      },
    ]);
  });

  it.each<[string, () => Partial<NewAlert>, boolean]>([
    ["the same key", () => ({}), false],
    ["another type", () => ({ type: "BACKWARDS_INCOMPATIBLE_SCHEMA" }), true],
    ["an alert that is over", () => ({ resolved: true }), true],
  ])("of %s as an open alert says whether it was made", async (_what, more, made) => {
    await create(alert());
    const [id] = await create(alert(more()));
    expect(id !== null).toBe(made);
    const [count] = await t.db.query(
      "SELECT count(*) AS n FROM alert_event WHERE entity_id = $1 AND event_type = 'CREATED'",
      [entity],
    );
    expect(count).toEqual({ n: made ? 2 : 1 });
  });

  it("makes any number of open distribution anomalies, also of no entity", async () => {
    const anomaly = (entityId: number | null) => alert({ type: "DISTRIBUTION_ANOMALY", entityId });
    const ids = await create(anomaly(entity), anomaly(entity), anomaly(null), anomaly(null));
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain(null);
    expect(await eventsOf(ids[3]!)).toMatchObject([{ entity_id: null, event_type: "CREATED" }]);
  });

  it("keeps the trace of its transaction with the event", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const [id] = await t.db.transaction(async (tx) => {
      await tx.query("SELECT set_config('tributary.traceparent', $1, true)", [traceparent]);
      return await createAlerts(tx, [alert()], at);
    });
    expect(await eventsOf(id!)).toMatchObject([{ traceparent }]);
  });
});

describe("stackAlerts", () => {
  it("adds chunks, moves the time and keeps the newest of what was said", async () => {
    const many = Array.from({ length: maxChunks }, (_, i) => `old ${i}`);
    const [id] = await create(alert({ chunks: chunksOf(many, at) }));
    const ref = { id: id!, entityId: entity, type: "FAILED_JOB" } as const;
    const later = "2031-05-07T00:00:00.000Z";
    const stack = (text: string, when: string) =>
      t.db.transaction((tx) =>
        stackAlerts(tx, [{ alert: ref, chunks: chunksOf([text], when) }], when)
      );
    await stack("new 1", later);
    await stack("new 2", later);
    const retained = await chunksBy(id!);
    expect([retained.length, retained[0], retained.at(-1)]).toEqual([
      maxChunks + 1,
      "old 1",
      "new 2",
    ]);
    expect(await t.db.query("SELECT last_created_at FROM alert WHERE id = $1", [id]))
      .toEqual([{ last_created_at: new Date(later) }]);
    expect((await eventsOf(id!)).map((event) => event.event_type))
      .toEqual(["CREATED", "UPDATED", "UPDATED"]);
  });
});

describe("resolveAlerts", () => {
  it("resolves by nobody, and tells so", async () => {
    const [id] = await create(alert());
    await t.db.transaction((tx) =>
      resolveAlerts(tx, [{ id: id!, entityId: entity, type: "FAILED_JOB" }], at)
    );
    expect(await t.db.query("SELECT * FROM alert WHERE id = $1", [id]))
      .toMatchObject([{ status: 3, status_updated_by: null, status_updated_at: new Date(at) }]);
    expect((await eventsOf(id!)).at(-1))
      .toMatchObject({ event_type: "RESOLVED_AUTOMATICALLY", updated_by: null });
  });
});

describe("chunksOf", () => {
  it("says how many more there are than an alert may gain at once", () => {
    const texts = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);
    expect(chunksOf(texts(maxChunks), at)).toHaveLength(maxChunks);
    const cut = chunksOf(texts(maxChunks + 1), at);
    expect([cut.length, cut.at(-2)!.description, cut.at(-1)!.description])
      .toEqual([maxChunks, String(maxChunks - 2), "… and 2 more"]);
  });
});
