import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import type { LineageGraph } from "#graph/port.ts";
import { unavailable } from "#kit/errors.ts";
import { batchHeaders } from "#contract/topics.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { type TestApi, testApi, testContext } from "#test/support/api.ts";
import { type TestDatabase, testDatabase } from "#test/support/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type IngestionFeature, ingestionRoutes } from "./routes.ts";

const source = "//source/ünï code";
const table = (catrn: string, more: object = {}) => ({
  catrn,
  name: catrn,
  type: "TABLE",
  dataset: { field_list: [] },
  ...more,
});
const batch = (...items: object[]) => ({ data_source_catrn: source, items });

let test: TestDatabase;
let context: Context;
let feature: IngestionFeature;
let api: TestApi;
let published: NewRecord[];
let publish: (records: NewRecord[]) => Promise<void>;
const opened: { stop(): void }[] = [];
const contexts: Context[] = [];

/** An API of its own, with this graph and these settings. */
function open(projection: "inline" | "projected", ingestion: object = {}, maxWaiters?: number) {
  published = [];
  publish = () => Promise.resolve();
  context = testContext(test, {
    config: Config.parse({ instance: test.name, ingestion }),
    graph: { projection } as LineageGraph,
    events: {
      publish: async (_topic: string, records: NewRecord[]) => {
        await publish(records);
        published.push(...records);
        return [];
      },
    } as unknown as EventLog,
  });
  contexts.push(context);
  feature = ingestionRoutes(context, { pollMs: 20, maxWaiters });
  opened.push(feature);
  api = testApi(feature.routes, context);
}

/** What the consumer records of a part. */
async function settle(record: NewRecord, outcome: string, position: number, detail?: object) {
  const { batch, part } = batchHeaders;
  await test.db.query(
    `WITH row AS (INSERT INTO applied_batch (batch, part, outcome, position, detail)
       VALUES ($1, $2, $3, $4, $5) RETURNING batch)
     SELECT pg_notify('applied_batch', batch) FROM row`,
    [record.headers[batch], record.headers[part], outcome, position, detail ?? null],
  );
}

const settleAll = (position: number) => {
  publish = async (records) => {
    for (const record of records) await settle(record, "applied", position);
  };
};

beforeAll(async () => {
  test = await testDatabase();
  await test.db.query("INSERT INTO data_source (catrn, name) VALUES ($1, 'one')", [source]);
});
afterEach(() => opened.splice(0).forEach((one) => one.stop()));
afterAll(async () => {
  for (const one of contexts) await one.wakeups.close();
  await test.drop();
});

describe("POST /ingestion/entities", () => {
  it("answers applied with the highest position of its parts", async () => {
    open("inline");
    publish = async (records) => {
      for (const [i, record] of records.entries()) await settle(record, "applied", 7 + i);
    };
    const items = Array.from({ length: 1_500 }, (_, i) => table(`//t/${i}`));
    const answer = await api.post("/ingestion/entities", batch(...items));
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers.get("x-ingestion-state")).toBe("applied");
    expect(answer.headers.get("x-lineage-position")).toBe("8");
    expect(published.map(({ key }) => key)).toEqual([source, source]);
    const sizes = published.map(({ value }) => JSON.parse(new TextDecoder().decode(value)))
      .map((body) => body.items.length);
    expect(sizes).toEqual([1_000, 500]);
    expect(published[1]!.headers).toMatchObject({
      type: "ingestion.batch",
      version: "1",
      part: "1",
      parts: "2",
    });
  });

  it("answers by the poll when no notification comes", async () => {
    open("inline");
    publish = async ([record]) => {
      await test.db.query("INSERT INTO applied_batch VALUES ($1, 0, 'applied', 3)", [
        record!.headers[batchHeaders.batch],
      ]);
    };
    const answer = await api.post("/ingestion/entities", batch(table("//a")));
    expect(answer.headers.get("x-ingestion-state")).toBe("applied");
  });

  it("answers queued without a position when the time runs out", async () => {
    open("inline", { "ack-timeout": "50 ms" });
    const answer = await api.post("/ingestion/entities", batch(table("//a")));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-ingestion-state")).toBe("queued");
    expect(answer.headers.has("x-lineage-position")).toBe(false);
  });

  it("answers queued at once when too many wait, and when the service stops", async () => {
    open("inline", {}, 1);
    const first = api.post("/ingestion/entities", batch(table("//a")));
    await eventually(() => expect(published.length).toBe(1));
    const second = await api.post("/ingestion/entities", batch(table("//b")));
    expect(second.headers.get("x-ingestion-state")).toBe("queued");
    feature.stop();
    expect((await first).headers.get("x-ingestion-state")).toBe("queued");
    const late = await api.post("/ingestion/entities", batch(table("//c")));
    expect(late.headers.get("x-ingestion-state")).toBe("queued");
  });

  it("answers the refusal of a part with the places of the posted body", async () => {
    open("inline");
    publish = async ([record]) => {
      const details = [{ field: "items[1].data_entity_group", message: "of items[0] is wrong" }];
      await settle(record!, "refused", 0, { status: 400, reason: "x", message: "No", details });
    };
    const group = {
      catrn: "//g",
      name: "g",
      type: "DAG",
      data_entity_group: { entities_list: [] },
    };
    const answer = await api.post("/ingestion/entities", batch(group, table("//a")));
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ message: "No", code: "USR001", retryable: false });
    expect(answer.json.details).toEqual([
      { field: "items[0].data_entity_group", message: "of items[1] is wrong" },
    ]);
  });

  it.each([
    ["running", 5, "applied"],
    ["running", 4, "stored"],
    ["waiting_for_graph", 4, "stored"],
  ])("with a graph that is %s at %i answers %s for position 5", async (state, at, expected) => {
    open("projected", { "ack-timeout": "200 ms" });
    await setProjection(state, at);
    settleAll(5);
    const answer = await api.post("/ingestion/entities", batch(table("//a")));
    expect(answer.headers.get("x-ingestion-state")).toBe(expected);
    expect(answer.headers.get("x-lineage-position")).toBe("5");
  });

  it("answers applied when the graph catches up", async () => {
    open("projected");
    await setProjection("running", 4);
    settleAll(5);
    const answer = api.post("/ingestion/entities", batch(table("//a")));
    await eventually(() => expect(published.length).toBe(1));
    await setProjection("running", 5);
    expect((await answer).headers.get("x-ingestion-state")).toBe("applied");
  });

  it("names the fields of a malformed body with 400", async () => {
    open("inline");
    const wrong = table("//a", { dataset: { field_list: [{ catrn: "f", name: "f", type: {} }] } });
    const answer = await api.post("/ingestion/entities", batch(table("//b"), wrong));
    expect(answer.status).toBe(400);
    expect(answer.json.details[0]).toMatchObject({
      field: "items[1].dataset.field_list[0].type.type",
    });
    for (const body of ["", "{", "[]", "null", '"x"', "[".repeat(500), batch(), { items: [] }]) {
      const { status, json } = await api.post("/ingestion/entities", body);
      expect([status, json.code]).toEqual([400, "USR001"]);
    }
    expect(published).toEqual([]);
  });

  it.each([
    [
      "an unknown data source",
      { data_source_catrn: "//nobody", items: [table("//a")] },
      "//nobody",
    ],
    ["a catrn twice", batch(table("//twice"), table("//b"), table("//twice")), "//twice"],
    ["a body over the limit", batch(table("x".repeat(900), { name: "y".repeat(2_000) })), "2048"],
  ])("refuses %s with 500, not retryable, naming it", async (_, body, named) => {
    open("inline", { "max-body-size": 2_048 });
    const answer = await api.post("/ingestion/entities", body);
    expect([answer.status, answer.json.retryable]).toEqual([500, false]);
    expect(answer.json.message).toContain(named);
    expect(published).toEqual([]);
  });

  it("accepts several items of one name", async () => {
    open("inline");
    settleAll(1);
    const items = [table("//a", { name: "same" }), table("//b", { name: "same" })];
    expect((await api.post("/ingestion/entities", batch(...items))).status).toBe(200);
  });

  it("takes gzip, counts its content, and refuses what it cannot unpack", async () => {
    open("inline", { "max-body-size": "100 kB" });
    settleAll(1);
    const send = (body: Uint8Array, encoding: string) =>
      api.send("POST", "/ingestion/entities", body, { "content-encoding": encoding });
    const zipped = (body: object) => gzipSync(JSON.stringify(body));
    expect((await send(zipped(batch(table("//a"))), "gzip")).status).toBe(200);
    const bomb = zipped(batch(table("//a", { description: "x".repeat(5_000_000) })));
    expect((await send(bomb, "gzip")).status).toBe(500);
    const broken = await send(new Uint8Array([1, 2, 3]), "gzip");
    expect([broken.status, broken.json.code]).toEqual([400, "USR001"]);
    expect((await send(bomb, "br")).status).toBe(415);
  });

  it("reads a large body in a thread, with the same answers", async () => {
    open("inline");
    settleAll(9);
    const filler = "x".repeat(1_000);
    const items = Array.from({ length: 600 }, (_, i) => table(`//t/${i}`, { description: filler }));
    const good = await api.post("/ingestion/entities", batch(...items));
    expect(good.headers.get("x-ingestion-state")).toBe("applied");
    expect(published.length).toBe(1);
    const wrong = await api.post("/ingestion/entities", batch(...items, { catrn: "//x" }));
    expect(wrong.status).toBe(400);
    expect(wrong.json.details[0]).toEqual({ field: "items[600].name", message: "is required" });
    const twice = await api.post("/ingestion/entities", batch(...items, items[0]!));
    expect([twice.status, twice.json.retryable]).toEqual([500, false]);
  });

  it("publishes keys of the upstream spelling translated", async () => {
    open("inline");
    settleAll(1);
    const text = JSON.stringify(batch(table("//a"))).replaceAll('catrn"', 'oddrn"');
    expect((await api.post("/ingestion/entities", text)).status).toBe(200);
    expect(new TextDecoder().decode(published[0]!.value)).toBe(JSON.stringify(batch(table("//a"))));
  });

  it("answers 503 with Retry-After when the event log is down", async () => {
    open("inline");
    publish = () => Promise.reject(unavailable("The event log does not answer"));
    const answer = await api.post("/ingestion/entities", batch(table("//a")));
    expect([answer.status, answer.json.retryable]).toEqual([503, true]);
    expect(answer.headers.get("retry-after")).toBe("5");
  });

  it("hands the client's trace on", async () => {
    open("inline");
    settleAll(1);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const body = JSON.stringify(batch(table("//a")));
    await api.send("POST", "/ingestion/entities", body, { traceparent });
    expect(published[0]!.headers.traceparent).toContain("0af7651916cd43dd8448eb211c80319c");
  });
});

async function setProjection(state: string, position: number) {
  await test.db.query(
    `INSERT INTO projection_status (position, state, seen_at) VALUES ($2, $1, now())
     ON CONFLICT (one) DO UPDATE SET state = $1, position = $2, seen_at = now()`,
    [state, position],
  );
  await test.db.query("SELECT pg_notify('projection', '')");
}
