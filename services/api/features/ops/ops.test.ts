import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composedBatches, ingestionBatches, topics } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { EventLog } from "#eventlog/port.ts";
import { PostgresGraph } from "#graph/postgres/postgres.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { memoryCache } from "#cache/memory.ts";
import type { Context } from "#platform/context.ts";
import { forgetHistory, ProcessFigures, reportOnce, takeSamples } from "#platform/ops/history.ts";
import { rememberSecrets } from "#platform/secrets.ts";
import { opsRoutes } from "#services/api/features/ops/routes.ts";
import { eventually } from "#test/support/eventually.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { TestStorage } from "#test/support/engines/storage.ts";
import { type TestApi, testApi, testContext } from "#test/support/http/api.ts";

let test: TestDatabase;
let events: EventLog;
let context: Context;
let api: TestApi;
beforeAll(async () => {
  test = await testDatabase();
  events = openLog({ engine: "postgres", url: test.url, sessionMs: 5_000 });
  await events.ensureTopics(topics(2));
  const cache = memoryCache({ metrics: noMetrics });
  const graph = new PostgresGraph(test.db);
  context = testContext(test, { events, graph, cache, storage: new TestStorage() });
  api = testApi(opsRoutes(context).routes, context);
});
afterAll(async () => {
  await context.wakeups.close();
  await events.close();
  await test.drop();
});

/** Puts records that were refused for this reason into the dead letters; their ids. */
async function refused(reason: string, ...values: string[]): Promise<string[]> {
  const box = { events, log: silentLogger, metrics: noMetrics };
  const ids: string[] = [];
  for (const value of values) {
    const record = { key: "//a", value: new TextEncoder().encode(value), headers: {} };
    const [at] = await events.publish(ingestionBatches, [record], { timeoutMs: 10_000 });
    const [stored] = await events.read(ingestionBatches, {
      partition: at!.partition,
      from: at!.offset,
      limit: 1,
    });
    const rejected = { topic: ingestionBatches, record: stored!, message: "why", details: [] };
    const position = await deadLetter(box, { ...rejected, reason });
    ids.push(`${position!.partition}-${position!.offset}`);
  }
  return ids;
}

const listed = async (query: string) => (await api.get(`/api/ops/dead-letters?${query}`)).json;
const audited = async () =>
  (await test.db.query<{ type: string; subject: string }>(
    "SELECT type, subject FROM audit_event ORDER BY id DESC LIMIT 1",
  ))[0];

describe("getDeadLetters", () => {
  it("200: tells why, where from and how each begins, page by page", async () => {
    const ids = await refused("paged", '{"items": 1}', "{", "[");
    const first = await listed("reason=paged&size=2");
    const second = await listed(`reason=paged&size=2&after=${first.next}`);
    expect([...first.items, ...second.items].map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect(second.next).toBeNull();
    expect([...first.items, ...second.items].find(({ id }) => id === ids[0])).toMatchObject({
      reason: "paged",
      message: "why",
      topic: ingestionBatches,
      key: "//a",
      bytes: 12,
      cut: false,
      beginning: '{"items": 1}',
    });
  });

  it("200: shows no secrets, and no more than the beginning", async () => {
    rememberSecrets(["configured-secret"]);
    await refused(
      "secret",
      `{"password": "hunter2\\"x", "url": "postgres://ada:lovelace@db/x", "a": "configured-secret"}`,
      `{"text": "${"x".repeat(50_000)}"}`,
    );
    const { items } = await listed("reason=secret");
    const [one, long] = items.sort((a: { bytes: number }, b: { bytes: number }) =>
      a.bytes - b.bytes
    );
    expect(one.beginning).toBe(
      '{"password": "***", "url": "postgres://ada:***@db/x", "a": "***"}',
    );
    expect(long.beginning).toHaveLength(1_000);
  });

  it("200: of what is no text it shows no beginning", async () => {
    const record = { key: null, value: new Uint8Array([0xff, 0xfe, 0]), headers: {} };
    const stored = { ...record, topic: ingestionBatches, partition: 0, offset: 1, timestamp: 0 };
    const box = { events, log: silentLogger, metrics: noMetrics };
    const rejected = { topic: ingestionBatches, message: "", details: [], reason: "binary" };
    await deadLetter(box, { ...rejected, record: stored });
    expect((await listed("reason=binary")).items[0].beginning).toBeNull();
  });

  it.each(["size=0", "size=201", "after=1", "after=a-b", "reason=%00"])(
    "400: %s",
    async (query) => expect((await api.get(`/api/ops/dead-letters?${query}`)).status).toBe(400),
  );
});

describe("replayDeadLetters and dropDeadLetters", () => {
  it("200: put back what was selected, which is then no longer listed, and auditors are told", async () => {
    const [one, other] = await refused("again", '{"a": 1}', '{"a": 2}');
    const end = async () =>
      (await events.bounds(ingestionBatches)).reduce((sum, { end }) => sum + end, 0);
    const before = await end();
    const { json } = await api.post("/api/ops/dead-letters/replay", { ids: [one] });
    expect(json).toEqual({ replayed: 1, skipped: [], next: null });
    expect(await end()).toBe(before + 1);
    expect(await audited()).toEqual({
      type: "DEAD_LETTERS_REPLAYED",
      subject: `1 dead letters (${one})`,
    });
    expect((await listed("reason=again&size=5")).items.map(({ id }: { id: string }) => id))
      .toEqual([other]);
  });

  it("200: drop, by reason and all", async () => {
    await refused("unwanted", "1", "2");
    expect((await api.post("/api/ops/dead-letters/drop", { reason: "unwanted" })).json)
      .toEqual({ dropped: 2, next: null });
    expect(await audited()).toEqual({
      type: "DEAD_LETTERS_DROPPED",
      subject: "2 dead letters (reason unwanted)",
    });
    const { json } = await api.post("/api/ops/dead-letters/drop", { all: true });
    expect(json.dropped).toBeGreaterThan(0);
    expect((await listed("size=7")).items).toEqual([]);
  });

  const wrong: Record<string, object> = {
    nothing: {},
    "all: false": { all: false },
    "two selections": { all: true, reason: "a" },
    "no ids": { ids: [] },
    "no id of a dead letter": { ids: ["1"] },
    "too many ids": { ids: Array.from({ length: 1_001 }, (_, i) => `0-${i}`) },
  };
  it.each(Object.entries(wrong))("400: %s", async (_, form) => {
    for (const what of ["replay", "drop"]) {
      expect((await api.post(`/api/ops/dead-letters/${what}`, form)).status).toBe(400);
    }
  });
});

describe("getConsumerLag", () => {
  it("200: tells each consumer by partition, and the sum", async () => {
    await events.publish(ingestionBatches, [{ key: "a", value: new Uint8Array(1), headers: {} }], {
      timeoutMs: 10_000,
    });
    const { json } = await api.get("/api/ops/lag");
    const batches = json.items.find(({ topic }: { topic: string }) => topic === ingestionBatches);
    expect(batches).toMatchObject({ group: "ingest-consumer", state: "known", cause: null });
    expect(batches.partitions).toHaveLength(2);
    expect(batches.lag).toBeGreaterThan(0);
    expect(json.lag).toBe(
      json.items.reduce((sum: number, { lag }: { lag: number }) => sum + lag, 0),
    );
  });
});

describe("getOperationsHistory", () => {
  it("200: batches, items and refusals of the last day by quarters of an hour, and deliveries by channel", async () => {
    const ago = (minutes: number) => new Date(Date.now() - 60_000 * minutes).toISOString();
    await test.db.query(
      `INSERT INTO applied_batch (batch, part, outcome, position, items, detail, applied_at) VALUES
         ('now', 0, 'applied', 0, 1000, NULL, $1), ('now', 1, 'applied', 0, 5, '{"left_out": 2}', $1),
         ('bad', 0, 'refused', 0, NULL, '{"message": "no"}', $1), ('before', 0, 'applied', 0, NULL, NULL, $2),
         ('old', 0, 'applied', 0, 9, NULL, $3)`,
      [ago(1), ago(60), ago(25 * 60)],
    );
    const { json } = await api.get("/api/ops/history");
    expect(json).toMatchObject({ state: "known", cause: null, step_seconds: 900, deliveries: [] });
    expect(json.batches).toHaveLength(96);
    const sum = (series: number[]) => series.reduce((all, one) => all + one, 0);
    expect(json.items.at(-1)).toBe(1_005);
    expect([json.batches, json.items, json.refused_batches, json.refused_items].map(sum))
      .toEqual([2, 1_005, 1, 2]);
    expect(json.batches[91]).toBe(1);
  });

  it("200: what was sampled: lag and records done by consumer, requests of all processes, dead letters", async () => {
    await test.db.query("DELETE FROM ops_sample");
    const ago = (minutes: number) => new Date(Date.now() - 60_000 * minutes).toISOString();
    const batches = `ingest-consumer/${ingestionBatches}`;
    await test.db.query(
      `INSERT INTO ops_sample (sampled_at, series, value) VALUES
         ($1, 'lag/${batches}', 9), ($2, 'lag/${batches}', 40), ($3, 'lag/${batches}', 7),
         ($1, 'done/${batches}', 100), ($2, 'done/${batches}', 150), ($3, 'done/${batches}', 130)`,
      [ago(40), ago(2), ago(3)],
    );
    const figures = new ProcessFigures();
    for (const status of [200, 404, 503]) figures.answered(status);
    test.db.slow.record("entity-list", 700);
    await reportOnce(context, figures);
    figures.answered(500);
    await reportOnce(context, figures);
    const { samples, failed } = await takeSamples(context);
    expect(failed).toEqual([]);
    expect([...samples.keys()]).toContain("dead-letters");
    // What was read is retained for a second.
    await eventually(async () => {
      const { json } = await api.get("/api/ops/history");
      const consumer = json.consumers.find((one: { topic: string }) =>
        one.topic === ingestionBatches
      );
      expect([consumer.lag.at(-3), ...consumer.lag.slice(-2)]).toEqual([9, null, 40]);
      expect(consumer.done.at(-1)).toBe(50);
      expect([json.requests.at(-1), json.failed_requests.at(-1)]).toEqual([4, 2]);
      expect(json.projection_lag.every((one: unknown) => one === null)).toBe(true);
    });
    expect((await api.get("/api/ops/slow-statements")).json).toMatchObject({
      state: "known",
      threshold_ms: 500,
      items: [{ statement: "entity-list", calls: 1, total_ms: 700, max_ms: 700 }],
    });
  });

  it("forgets samples and slow statements of the day before yesterday", async () => {
    const old = new Date(Date.now() - 26 * 3_600_000);
    await test.db.query("INSERT INTO ops_sample VALUES ($1, 'requests', 1)", [old.toISOString()]);
    await test.db.query("INSERT INTO slow_statement VALUES ($1, 'old', 1, 1, 1)", [
      old.toISOString(),
    ]);
    expect(await forgetHistory(test.db, new Date(), 10)).toBe(1);
    expect(await test.db.query("SELECT 1 FROM slow_statement WHERE statement = 'old'")).toEqual([]);
  });
});

describe("getOperationsSummary, getBackupStatus, getSupportBundle", () => {
  it("200: dead letters are a warning, with what to do; a schema and a release are named", async () => {
    await refused("for-the-summary", "1");
    const { json } = await api.get("/api/ops/summary");
    expect(json).toMatchObject({ state: "WARNING", release: expect.stringMatching(/^\d/) });
    expect(json.schema_version).toBeGreaterThanOrEqual(69);
    expect(json.problems).toEqual([
      expect.objectContaining({ part: "DEAD_LETTERS", action: expect.stringContaining("replay") }),
    ]);
  });

  it("200: a consumer far behind is an error, and comes first", async () => {
    const far = new Array(10_001).fill(0).map(() => (
      { key: "a", value: new Uint8Array(1), headers: {} }
    ));
    await events.publish(composedBatches, far, { timeoutMs: 60_000 });
    await eventually(async () => {
      const { json } = await api.get("/api/ops/summary");
      expect(json.state).toBe("ERROR");
      expect(json.problems[0]).toMatchObject({
        part: "LAG",
        subject: `ingest-consumer of ${composedBatches}`,
        message: expect.stringContaining("10001 records behind"),
      });
    });
    await events.truncate(composedBatches);
  });

  it("200: no backup is scheduled", async () => {
    expect((await api.get("/api/ops/backup")).json).toMatchObject({
      state: "known",
      scheduled: false,
      newest_at: null,
    });
  });

  it("200: a support bundle to download, and auditors are told", async () => {
    const { status, headers } = await api.get("/api/ops/support-bundle");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toMatch(/tributary-support-.*\.tar\.gz"$/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await audited())?.type).toBe("SUPPORT_BUNDLE_CREATED");
  });
});

describe("getEngines, getReplicationSlot, getProjection", () => {
  it("200: every engine answers", async () => {
    const { items } = (await api.get("/api/ops/engines")).json;
    expect(items.map(({ port, state }: { port: string; state: string }) => `${port} ${state}`))
      .toEqual(["metadata up", "event-log up", "graph up", "cache up", "storage up"]);
    expect(items[0].version).toMatch(/^\d+/);
    expect(items.every(({ latency_ms }: { latency_ms: number }) => latency_ms >= 0)).toBe(true);
  });

  it("200: a slot that is not there, and nothing to announce", async () => {
    expect((await api.get("/api/ops/slot")).json).toMatchObject({
      state: "known",
      enabled: false,
      facts: { exists: false, publication_exists: false, unannounced: 0, retained_bytes: null },
    });
  });

  it("200: a graph that is the metadata itself has no lag, and nothing to compare", async () => {
    const { json } = await api.get("/api/ops/projection");
    expect(json).toMatchObject({ state: "known", projection: "INLINE", lag: 0, projector: null });
    expect(json.position).toBe(json.newest);
    const refusal = await api.post("/api/ops/projection/verify");
    expect([refusal.status, refusal.json.message]).toEqual([
      400,
      expect.stringContaining("nothing to compare"),
    ]);
  });
});
