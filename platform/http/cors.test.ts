import { z } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notFound } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { systemClock } from "#kit/clock.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { type HttpListener, listen } from "#platform/http/runtime.ts";
import { ok, operation, serve } from "#platform/operations/declare.ts";
import { sendRaw } from "#test/support/http/raw-http.ts";

const common = {
  path: "/api/things",
  tag: "thing",
  document: "platform" as const,
  access: "signed-in" as const,
};
const read = operation({
  ...common,
  id: "getThings",
  method: "get",
  summary: "Things",
  responses: {
    200: { description: "The things", headers: { "X-Things-Position": "How far they are" } },
  },
});
const make = operation({
  ...common,
  id: "makeThing",
  method: "put",
  summary: "Makes one",
  activity: { none: "a test" },
  body: z.object({ name: z.string() }),
  responses: { 200: { description: "Made" } },
});
const routes = [
  serve(read, () => Promise.resolve(ok([]))),
  serve(make, ({ body }) => Promise.reject(notFound("thing", body.name))),
];

function serving(server: object): HttpListener {
  const config = Config.parse({ server });
  const deps = { log: silentLogger, metrics: noMetrics, clock: systemClock };
  const app = createApp({ routes, config, ...deps });
  return listen((request) => app.fetch(request), { host: "127.0.0.1", port: 0 });
}

const ui = "Origin: https://ui.example";
const evil = "Origin: https://evil.example";

/** The CORS headers of a response (ends of their names), and whether `Vary` names the origin. */
async function responseTo(url: string, line: string, headers: string[], body = "") {
  const head = [
    `${line} HTTP/1.1`,
    "Host: localhost",
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  const answer = await sendRaw(url, head, body);
  const cors = [...answer.headers].filter(([name]) => name.startsWith("access-control-"));
  const allow = Object.fromEntries(
    cors.map(([name, value]) => [name.replace(/^access-control-/, ""), value]),
  );
  const varies = /\bOrigin\b/.test(answer.headers.get("vary") ?? "");
  return { status: answer.status, varies, allow };
}

describe("web pages of other origins", () => {
  let open: HttpListener;
  let closed: HttpListener;
  beforeAll(() => {
    open = serving({ cors: { origins: "https://ui.example, http://localhost:3000" } });
    closed = serving({});
  });
  afterAll(() => Promise.all([open.stop(0), closed.stop(0)]));

  const trustedAllow = {
    "allow-origin": "https://ui.example",
    "allow-credentials": "true",
  };
  const preflight = (method: string) => [`Access-Control-Request-Method: ${method}`];

  it("may read answers when they are trusted, with the headers that operations declare", async () => {
    expect(await responseTo(open.url, "GET /api/things", [ui])).toEqual({
      status: 200,
      varies: true,
      allow: { ...trustedAllow, "expose-headers": "Allow, Retry-After, X-Things-Position" },
    });
    const other = await responseTo(open.url, "GET /api/things", ["Origin: http://localhost:3000"]);
    expect(other.allow["allow-origin"]).toBe("http://localhost:3000");
  });

  it("may ask first when they are trusted, and are told the methods of the path", async () => {
    const answer = await responseTo(open.url, "OPTIONS /api/things", [ui, ...preflight("PUT")]);
    expect(answer).toEqual({
      status: 204,
      varies: true,
      allow: {
        ...trustedAllow,
        "allow-methods": "GET, HEAD, OPTIONS, PUT",
        "allow-headers":
          "Authorization, Content-Encoding, Content-Type, Traceparent, Tracestate, X-API-Key",
        "max-age": "600",
      },
    });
  });

  it("may read refusals when they are trusted", async () => {
    const type = "Content-Type: application/json";
    const missing = await responseTo(open.url, "PUT /api/things", [ui, type], '{"name":"a"}');
    expect([missing.status, missing.allow["allow-origin"]]).toEqual([404, "https://ui.example"]);
    const wrong = await responseTo(open.url, "PUT /api/things", [ui, type], "{");
    expect([wrong.status, wrong.allow["allow-origin"]]).toEqual([400, "https://ui.example"]);
  });

  it("are allowed no method on a path that nobody knows", async () => {
    const { status, allow } = await responseTo(open.url, "OPTIONS /api/no", [
      ui,
      ...preflight("PUT"),
    ]);
    expect(status).toBe(404);
    expect(allow).toEqual(trustedAllow);
  });

  it.each([
    ["another origin", evil],
    ["a page without an origin", "Origin: null"],
    ["a neighbour by name", "Origin: https://ui.example.evil.example"],
    ["another scheme", "Origin: http://ui.example"],
    ["no page", "Accept: */*"],
  ])("are told nothing when the request comes from %s", async (_, origin) => {
    const simple = await responseTo(open.url, "GET /api/things", [origin]);
    expect(simple).toEqual({ status: 200, varies: true, allow: {} });
    const preflightResponse = await responseTo(open.url, "OPTIONS /api/things", [
      origin,
      ...preflight("PUT"),
    ]);
    expect(preflightResponse).toEqual({ status: 204, varies: true, allow: {} });
  });

  it("are told nothing when none is trusted, and answers vary by nothing", async () => {
    expect(await responseTo(closed.url, "GET /api/things", [ui]))
      .toEqual({ status: 200, varies: false, allow: {} });
    expect(await responseTo(closed.url, "OPTIONS /api/things", [ui, ...preflight("PUT")]))
      .toEqual({ status: 204, varies: false, allow: {} });
  });
});
