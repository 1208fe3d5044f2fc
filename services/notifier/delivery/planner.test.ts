import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AlertEventRecord } from "#contract/alerts.ts";
import type { LogRecord } from "#eventlog/port.ts";
import type { LineageGraph } from "#graph/port.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { type PermanentError, unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Database } from "#metadata/postgres/database.ts";
import { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import { GraphDown } from "#services/notifier/content/reach.ts";
import { DeliveryPlanner } from "#services/notifier/delivery/planner.ts";
import { deliveryMetrics } from "#services/notifier/delivery/metrics.ts";
import { immediately, type Policy } from "#services/notifier/policy/decision.ts";
import { insertEntities } from "#test/support/seed/catalogue.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { anEvent, deliveries } from "#test/support/alerts/deliveries.ts";
import { tcpProxy } from "#test/support/engines/tcp-proxy.ts";

let t: TestDatabase;
let deadLetters: PermanentError[];
let now: number;
beforeEach(async () => {
  t = await testDatabase();
  deadLetters = [];
  now = 1_000_000;
});
afterEach(() => t.drop());

const plain: Policy = {
  batchSize: 100,
  prepare: () => Promise.resolve(new Map()),
  decide: (_tx, changes) => Promise.resolve(changes.map(() => immediately)),
};

function intake(
  options: { db?: Database; graph?: LineageGraph; policy?: Policy } = {},
): DeliveryPlanner {
  const db = options.db ?? t.db;
  const graph = options.graph ?? new PostgresGraph(db);
  return new DeliveryPlanner({
    db,
    messageBuilder: new MessageBuilder({ db, graph, depth: 1, maxNodes: 100, timeoutMs: 1_000 }),
    policy: options.policy ?? plain,
    routes: [{ channel: "webhook", recipient: "sink" }],
    deadLetter: (_, error) => Promise.resolve(void deadLetters.push(error)),
    metrics: deliveryMetrics(noMetrics),
    log: silentLogger,
    clock: { now: () => now, sleep: () => Promise.resolve() },
  });
}

function record(event: AlertEventRecord): LogRecord {
  const value = new TextEncoder().encode(JSON.stringify(event));
  const place = { topic: "alerts.events", partition: 1, offset: event.id };
  return { ...place, key: null, value, headers: {}, timestamp: 1_000_000 };
}

const plannedIds = async () => (await deliveries(t)).map((row) => row.event_id);

describe("Intake", () => {
  it("waits for a graph that does not answer, and at last does without", async () => {
    const { id } = (await insertEntities(t.db, [{ name: "id" }])) as { id: number };
    const down = { walk: () => Promise.reject(unavailable("down")) } as unknown as LineageGraph;
    const event = anEvent({ entity_id: id });
    const over = intake({ graph: down });
    now += 29_000;
    await expect(over.take([record(event)])).rejects.toBeInstanceOf(GraphDown);
    expect(await plannedIds()).toEqual([]);
    now += 2_000;
    await over.take([record(event)]);
    const [row] = await t.db.query(
      "SELECT message -> 'downstream_truncated' AS cut FROM notification",
    );
    expect([await plannedIds(), row!.cut]).toEqual([[event.id], true]);
  });

  it("quarantines the one change that the store cannot hold, and tells the others", async () => {
    const [first, last] = [anEvent(), anEvent()];
    const bad = anEvent({ updated_by: "a\u0000b" });
    await intake().take([first, bad, last].map(record));
    expect(await plannedIds()).toEqual([first.id, last.id]);
    expect(deadLetters.map((deadLetter) => deadLetter.reason)).toEqual(["data_error"]);
  });

  it.each([
    ["a time before all times", { event_at: "0000-01-01T00:00:00Z" }],
    ["an offset of a day", { event_at: "2030-01-01T00:00:00+23:59" }],
    ["the last of all ids", { id: Number.MAX_SAFE_INTEGER, alert_id: Number.MAX_SAFE_INTEGER }],
    ["a name of half a surrogate pair", { updated_by: "\ud800" }],
    ["a name of 60,000 characters", { updated_by: "n".repeat(60_000) }],
    ["a name of NUL alone, at no time", { updated_by: "\0", event_at: "0000-12-31T23:59:59Z" }],
  ])("is stopped by no change: %s", async (_, given) => {
    const next = anEvent();
    await intake().take([record(anEvent(given)), record(next)]);
    expect(await plannedIds()).toContain(next.id);
  });

  it("quarantines what fails for no known reason only after several deliveries", async () => {
    const broken = { ...plain, decide: () => Promise.reject(new TypeError("a defect")) };
    const over = intake({ policy: broken });
    const event = record(anEvent());
    for (let i = 1; i < 8; i++) await expect(over.take([event])).rejects.toThrow("a defect");
    await over.take([event]);
    expect(deadLetters.map((deadLetter) => deadLetter.reason)).toEqual(["internal_error"]);
  });

  it("neither tells nor quarantines while the store is out of reach, and goes on after", async () => {
    const proxy = await tcpProxy(t.url);
    const db = new Database({
      url: proxy.url,
      max: 2,
      statementTimeoutMs: 2_000,
      applicationName: "test",
    });
    const over = intake({ db });
    const event = anEvent();
    await proxy.cut();
    await expect(over.take([record(event)])).rejects.toMatchObject({ status: 503 });
    await proxy.open();
    await over.take([record(event)]);
    expect([await plannedIds(), deadLetters]).toEqual([[event.id], []]);
    await db.close();
    await proxy.close();
  });
});
