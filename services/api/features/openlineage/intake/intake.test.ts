import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventHeaders } from "#contract/openlineage/record.ts";
import { smallRunEvent, wholeRunEvent } from "#contract/openlineage/testing/samples.ts";
import { AppError, unavailable } from "#kit/errors.ts";
import { busyErrorsOf } from "#platform/http/errors.ts";
import { openAccess } from "#services/api/access/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { openTestIngestion, type TestIngestion } from "#test/support/http/ingestion.ts";
import { maxEventBytes } from "./bodies.ts";
import { postLineage, postLineageBatch } from "./operations.ts";
import { lineageIntakeRoutes } from "./routes.ts";

const one = "/api/v1/lineage";
const many = "/api/v1/lineage/batch";

let database: TestDatabase;
let ingestion: TestIngestion;

beforeAll(async () => {
  database = await testDatabase();
  ingestion = openTestIngestion(database, { access: openAccess, open: lineageIntakeRoutes });
});
afterAll(async () => {
  await ingestion.close();
  await database.drop();
});
beforeEach(() => {
  ingestion.published.length = 0;
  ingestion.onPublish = () => Promise.resolve();
});

const text = JSON.stringify;
const post = (path: string, body: string | Uint8Array, headers: HeadersInit = {}) =>
  ingestion.api.send("POST", path, body, headers);

describe("an event", () => {
  it.each([one, `${one}/`])("posted to %s is in the log before it is answered", async (path) => {
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const answer = await post(path, text(wholeRunEvent()), { traceparent });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers.get("x-ingestion-state")).toBe("queued");
    expect(answer.headers.has("x-openlineage-warnings")).toBe(false);
    const [record] = ingestion.published;
    expect(record).toMatchObject({
      key: "run:airflow/all",
      headers: { [eventHeaders.origin]: "http", [eventHeaders.traceparent]: traceparent },
    });
    expect(Number(record!.headers[eventHeaders.receivedAt])).toBeGreaterThan(Date.now() - 60_000);
  });

  it("of which parts are left out is taken, and the answer says how many", async () => {
    const answer = await post(one, text({ ...smallRunEvent(), inputs: [{ name: "x" }, 5] }));
    expect([answer.status, answer.headers.get("x-openlineage-warnings")]).toEqual([200, "2"]);
  });

  it.each(["", "application/cloudevents+json", "application/json; charset=utf-8"])(
    "may be of the content type %j",
    async (type) => {
      expect((await post(one, text(smallRunEvent()), { "content-type": type })).status).toBe(200);
    },
  );

  it("may be compressed", async () => {
    const body = new Uint8Array(gzipSync(text(smallRunEvent())));
    expect((await post(one, body, { "content-encoding": "gzip" })).status).toBe(200);
  });

  it("keeps its own spelling of everything", async () => {
    const sql = { query: 'SELECT "oddrn" FROM t' };
    const job = { namespace: "oddrn", name: "data_source_oddrn", facets: { sql } };
    await post(one, text({ ...smallRunEvent(), job }));
    const value = JSON.parse(new TextDecoder().decode(ingestion.published[0]!.value));
    expect(value.job).toEqual(job);
  });

  it("of nearly 5 MB is taken", async () => {
    const event = { ...smallRunEvent(), custom: "x".repeat(maxEventBytes - 2_000) };
    expect((await post(one, text(event))).status).toBe(200);
  });

  it.each([
    [text({ ...smallRunEvent(), run: {} }), "run.runId: missing", "run.runId"],
    ["{", "The body is not valid JSON", undefined],
    ["nonsense", "The body is not valid JSON", undefined],
    ["[".repeat(200), "closed properly", undefined],
    [`{"a":${"[".repeat(200)}`, "nested deeper", undefined],
  ])("that cannot be taken is refused: %.30s", async (body, message, field) => {
    const answer = await post(one, body);
    expect([answer.status, answer.json.retryable]).toEqual([400, false]);
    expect(answer.json.message).toContain(message);
    expect(answer.json.details[0]?.field).toBe(field);
    expect(ingestion.published).toEqual([]);
  });
});

describe("refusals before an event is looked at", () => {
  const bomb = gzipSync(new Uint8Array(64 * 1_048_576));

  it.each([
    ["too large", () => post(one, `{"a":"${"x".repeat(maxEventBytes)}"}`), 413],
    ["a bomb", () => post(one, new Uint8Array(bomb), { "content-encoding": "gzip" }), 413],
    ["a bomb of a batch", () => post(many, bomb, { "content-encoding": "gzip" }), 413],
    ["too many", () => post(many, text(Array(1_001).fill(0))), 413],
    ["empty", () => post(one, ""), 400],
    ["another encoding", () => post(one, "{}", { "content-encoding": "br" }), 415],
    ["not what it says", () => post(one, "{}", { "content-encoding": "gzip" }), 400],
    ["a form", () => post(one, "a=1", { "content-type": "text/plain" }), 415],
    ["reading", () => ingestion.api.get(one), 405],
    ["putting", () => ingestion.api.put(many, []), 405],
  ])("%s", async (_what, ask, status) => {
    const answer = await ask();
    expect([answer.status, answer.json.code.slice(0, 3)]).toEqual([status, "USR"]);
    if (status === 405) expect(answer.headers.get("allow")).toContain("POST");
  });
});

describe("a batch", () => {
  const broken = { ...smallRunEvent(), eventTime: "never" };

  it.each([
    [text([smallRunEvent(), wholeRunEvent()])],
    [`${text(smallRunEvent())}\n${text(wholeRunEvent())}\n`],
  ])("of sound events is taken: %.20s", async (body) => {
    for (const path of [one, many]) {
      ingestion.published.length = 0;
      const answer = await post(path, body);
      expect([answer.status, answer.text]).toEqual([204, ""]);
      expect(ingestion.published).toHaveLength(2);
    }
  });

  it("of lines, as one line too", async () => {
    const type = { "content-type": "application/x-ndjson" };
    expect((await post(many, text(smallRunEvent()), type)).status).toBe(204);
    expect((await post(one, text(smallRunEvent()), type)).status).toBe(204);
  });

  it("of which some are wrong is taken in part", async () => {
    const answer = await post(many, `${text(smallRunEvent())}\n{"a"\n${text(broken)}\n`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: "partial_success",
      summary: { received: 3, successful: 1, failed: 2, retriable: 0, non_retriable: 2 },
      failed_events: [{ index: 1, retriable: false }, { index: 2, retriable: false }],
    });
    expect(answer.json.failed_events[1].reason).toContain("eventTime: must be");
    expect(answer.headers.get("x-ingestion-state")).toBe("queued");
    expect(ingestion.published).toHaveLength(1);
  });

  it("of which all are wrong is refused", async () => {
    const answer = await post(many, text([broken, 5]));
    expect([answer.status, answer.json.status, answer.json.summary.failed])
      .toEqual([400, "failure", 2]);
    expect(answer.headers.has("x-ingestion-state")).toBe(false);
  });

  it("of none is taken", async () => expect((await post(many, "[]")).status).toBe(204));

  it("of megabytes is read next to the event loop", async () => {
    const events = Array.from({ length: 150 }, () => wholeRunEvent());
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const answer = await post(many, text(events));
    clearInterval(timer);
    expect([answer.status, ingestion.published.length]).toEqual([204, 150]);
    expect(turns).toBeGreaterThan(20);
  });
});

describe("the event log", () => {
  it("that is down is told by 503 and Retry-After", async () => {
    ingestion.onPublish = () => Promise.reject(unavailable("down"));
    for (const [path, body] of [[one, smallRunEvent()], [many, [smallRunEvent(), 5]]] as const) {
      const answer = await post(path, text(body));
      expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([503, 5]);
    }
  });

  it("that fails in any other way too", async () => {
    ingestion.onPublish = () => Promise.reject(new Error("boom"));
    expect((await post(one, text(smallRunEvent()))).status).toBe(503);
  });

  it("that hangs is given up after three seconds", async () => {
    const hangs = Promise.withResolvers<void>();
    ingestion.onPublish = () => hangs.promise;
    const begun = performance.now();
    const answer = await post(one, text(smallRunEvent()));
    hangs.resolve();
    expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
    expect(performance.now() - begun).toBeLessThan(6_000);
  });

  it("is given together what comes together", async () => {
    const calls: number[] = [];
    ingestion.onPublish = async (records) => {
      calls.push(records.length);
      await new Promise((later) => setTimeout(later, 20));
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => post(one, text(smallRunEvent()))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(calls.reduce((sum, n) => sum + n, 0)).toBe(100);
    expect(calls.length).toBeLessThan(20);
  });
});

it("never answers 429: clients would give the event up", () => {
  const busy = new AppError("busy", { status: 429, code: "SYS002", retryAfter: 7 });
  const understood = busyErrorsOf([{ spec: postLineage }, { spec: postLineageBatch }]);
  for (const path of [one, `${one}/`, many, `${many}/`]) {
    expect(understood(busy, path)).toMatchObject({ status: 503, retryAfter: 7 });
  }
  expect(understood(busy, "/api/v1/lineages")).toBe(busy);
});
