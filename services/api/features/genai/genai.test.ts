import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { listen } from "#platform/http/runtime.ts";
import {
  maxAnswer,
  maxConcurrent,
  maxConcurrentOfCaller,
  maxQuestion,
  readable,
} from "#services/api/features/genai/service.ts";
import { genAiRoutes } from "#services/api/features/genai/routes.ts";
import { eventually } from "#test/support/eventually.ts";
import { testApi } from "#test/support/http/api.ts";
import { calledBy } from "#test/support/http/caller.ts";
import {
  answers,
  type HttpSink,
  type SinkAnswer,
  startHttpSink,
} from "#test/support/http/http-sink.ts";
import { recordingLogger } from "#test/support/log.ts";

let sink: HttpSink;
let stop = () => {};
beforeAll(async () => void (sink = await startHttpSink()));
afterAll(() => sink.close());
afterEach(() => {
  stop();
  sink.requests.length = 0;
});

const said = (body: string, status = 200): SinkAnswer => (socket) => {
  const length = new TextEncoder().encode(body).length;
  socket.write(`HTTP/1.1 ${status} Said\r\ncontent-length: ${length}\r\n\r\n${body}`);
};

const { log, lines } = recordingLogger();

function contextOf(genai: object) {
  const config = Config.parse({ genai: { enabled: true, request_timeout: 2, ...genai } });
  return { config, log, metrics: noMetrics };
}
function open(genai: object = { url: sink.url }, minuteMs = 30_000) {
  const context = contextOf(genai);
  const feature = genAiRoutes(context, { minuteMs });
  stop = feature.stop;
  return (body: unknown = "How many orders?", who = "ada") =>
    testApi(calledBy(who, feature.routes), context).post("/api/genai/ask", { body });
}

describe("readable", () => {
  it.each([
    ["plain", "plain"],
    ['"quoted"\n', "quoted"],
    [
      '"line\\none\\ttab \\"inner\\" back\\\\slash \\u00e9"',
      'line\none\ttab "inner" back\\slash é',
    ],
    ["two\\nlines, unquoted", "two\nlines, unquoted"],
    ['"', ""],
    ['""', ""],
    ["", ""],
    ["\\u12 \\x \\", "u12 x \\"],
    ["half \\ud800 pair", "half \ufffd pair"],
    ["whole \\ud83d\\ude00 pair", "whole 😀 pair"],
  ])("%j is %j", (text, expected) => {
    expect(readable(text)).toBe(expected);
  });
});

describe("genAiQuestion", () => {
  it("200: asks the service once, and answers what it says", async () => {
    sink.answer = said('"42 orders,\\nas of today"');
    const answer = await open({ url: `${sink.url}/v1/?team=a` })('How many "orders"?\n');
    expect([answer.status, answer.json]).toEqual([200, { body: "42 orders,\nas of today" }]);
    expect(sink.requests).toHaveLength(1);
    const [{ method, path, headers, body }] = sink.requests as [typeof sink.requests[0]];
    expect([method, path, headers["content-type"]])
      .toEqual(["POST", "/v1/query_data?team=a", "application/json"]);
    expect(JSON.parse(body)).toEqual({ question: 'How many "orders"?' });
  });

  it("user and password of the address travel as a header, and are never logged", async () => {
    sink.answer = said("no", 500);
    const url = `${sink.url.replace("://", "://ann:hunter3@")}/?key=hunter4`;
    const answer = await open({ url })();
    expect(sink.requests[0]!.headers.authorization).toBe(`Basic ${btoa("ann:hunter3")}`);
    expect(answer.text + JSON.stringify(lines)).not.toMatch(/hunter/);
  });

  it("400 while it is off, and nothing is asked", async () => {
    const answer = await open({ enabled: false, url: sink.url })();
    expect([answer.status, answer.json.code, answer.json.message])
      .toEqual([400, "USR001", "Gen AI is disabled"]);
    expect(sink.requests).toEqual([]);
  });

  it.each([
    ["an answer of 500", answers.status(500), "the service answers 500"],
    ["an answer of 404", answers.status(404), "the service answers 404"],
    [
      "a redirect, which is not followed",
      answers.status(302, { location: "http://127.0.0.1:1/" }),
      "the service answers 302",
    ],
    ["a broken connection", answers.reset, "the connection"],
    ["a huge answer", answers.hugeBody(200), `larger than ${maxAnswer} bytes`],
  ])("500 SYS001 for %s, without a second attempt", async (_, behaviour, cause) => {
    sink.answer = behaviour;
    const answer = await open()();
    expect([answer.status, answer.json.code, answer.json.retryable]).toEqual([
      500,
      "SYS001",
      false,
    ]);
    expect(answer.json.message).toContain(cause);
    expect(answer.text).not.toContain("hunter2");
    expect(sink.requests).toHaveLength(1);
  });

  it.each([
    ["no answer", answers.hangs],
    ["one that never ends", answers.slowBody(200)],
  ])("500 that names the minutes for %s", async (_, behaviour) => {
    sink.answer = behaviour;
    const answer = await open({ url: sink.url }, 50)();
    expect([answer.status, answer.json.code]).toEqual([500, "SYS001"]);
    expect(answer.json.message).toContain("within 2 minutes");
  });

  it.each([[""], [" "], [undefined], [5], ["x".repeat(maxQuestion + 1)], ["nul \0"]])(
    "400 names the body %#",
    async (question) => {
      const answer = await open()(question === undefined ? null : question);
      expect([answer.status, answer.json.details[0].field]).toEqual([400, "body"]);
      expect(sink.requests).toEqual([]);
    },
  );

  it("429 when too many of one caller wait, 503 of all; those that wait end with the service", async () => {
    sink.answer = answers.hangs;
    const ask = open();
    const askers = maxConcurrent / maxConcurrentOfCaller;
    const of = (who: string) => Array.from({ length: maxConcurrentOfCaller }, () => ask("?", who));
    const waiting = of("mallory");
    await eventually(() => expect(sink.requests).toHaveLength(maxConcurrentOfCaller));
    expect((await ask("?", "mallory")).status).toBe(429);
    for (let n = 1; n < askers; n++) waiting.push(...of(`user ${n}`));
    await eventually(() => expect(sink.requests).toHaveLength(maxConcurrent));
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    stop();
    expect((await Promise.all(waiting)).map(({ status }) => status))
      .toEqual(Array(maxConcurrent).fill(503));
  });

  it("is given up when who asked has gone", async () => {
    let closed = false;
    sink.answer = (socket) => void socket.on("close", () => closed = true);
    const context = contextOf({ url: sink.url });
    const { routes, stop } = genAiRoutes(context);
    const app = createApp({ ...context, routes, clock: systemClock });
    const listening = listen((request, client) => app.fetch(request, { client }), {
      host: "127.0.0.1",
      port: 0,
    });
    const gone = new AbortController();
    const pending = fetch(`${listening.url}/api/genai/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ body: "x" }),
      signal: gone.signal,
    }).catch(messageOf);
    await eventually(() => expect(sink.requests).toHaveLength(1));
    gone.abort();
    await pending;
    await eventually(() => expect(closed).toBe(true));
    stop();
    await listening.stop(0);
  });
});

it.each<[string, object, string[]]>([
  ["an address", { request_timeout: 2 }, ["url"]],
  ["a time", { url: "http://ai.example" }, ["request_timeout"]],
  ["a time above 0", { url: "http://ai.example", request_timeout: 0 }, ["request_timeout"]],
  ["both", {}, ["url", "request_timeout"]],
])("demands %s where questions are on", (_what, genai, keys) => {
  const { error } = Config.safeParse({ genai: { enabled: true, ...genai } });
  expect(error!.issues.map(({ path }) => path)).toEqual(keys.map((key) => ["genai", key]));
  expect(Config.safeParse({ genai }).success).toBe(true);
});
