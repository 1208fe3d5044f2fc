import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { BodyReader } from "#platform/http/body.ts";
import { ok, serve } from "#platform/operations/declare.ts";
import { type HttpListener, listen } from "#platform/http/runtime.ts";
import { make, raw, thing } from "#platform/http/testing/operations.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { eventually } from "#test/support/eventually.ts";
import { openRaw, sendRaw } from "#test/support/http/raw-http.ts";

describe("an application on a socket", () => {
  const metrics = createMetrics();
  const logs: string[] = [];
  const reader = new BodyReader({ maxBytes: 1_000, timeoutMs: 500 });
  const app = createApp({
    routes: [
      serve(thing, ({ params }) => Promise.resolve(ok({ id: params.thing_id }))),
      serve(make, ({ body }) => Promise.resolve(ok(body.things?.length ?? "none"))),
      serve(
        raw,
        async ({ request }) =>
          ok(await reader.read(request, ({ length }) => Promise.resolve(length))),
      ),
    ],
    log: createLogger({ level: "info", format: "json", write: (line) => logs.push(line) }),
    metrics,
    clock: systemClock,
    config: Config.parse({ server: { "body-timeout": "500 ms", "max-body-size": "2 MB" } }),
  });
  let server: HttpListener;
  beforeAll(() => void (server = listen((r) => app.fetch(r), { host: "127.0.0.1", port: 0 })));
  afterAll(() => server.stop(0));
  const send = (line: string, ...headers: string[]) =>
    sendRaw(server.url, [`${line} HTTP/1.1`, "Host: localhost", ...headers]);

  it.each(["TRACE", "DELETE", "BREW", "PROPFIND"])(
    "answers %s of a known path with 405 and what is allowed",
    async (method) => {
      const { status, headers, text } = await send(`${method} /api/things/7`);
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect(JSON.parse(text)).toMatchObject({ code: "USR001", retryable: false });
    },
  );
  it.each(["constructor", "toString", "valueOf"])(
    "answers the method %s, which every object has, with 400",
    async (method) => {
      const answer = await app.fetch(new Request("http://127.0.0.1/api/things/7", { method }));
      expect([answer.status, (await answer.json()).code]).toEqual([400, "USR001"]);
    },
  );

  it("answers TRACE with a query of the upstream spelling with 405", async () => {
    expect((await send("TRACE /api/things/7?oddrn=x")).status).toBe(405);
  });
  it.each(["TRACE", "POST", "BREW"])("answers %s of an unknown path with 404", async (method) => {
    const { status, text } = await send(`${method} /api/nothing`, "Content-Length: 0");
    expect([status, JSON.parse(text).code]).toEqual([404, "USR002"]);
  });
  it("answers OPTIONS of a known path with what is allowed", async () => {
    const { status, headers } = await send("OPTIONS /api/things/7");
    expect([status, headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  });
  it("answers CONNECT in JSON", async () => {
    const { status } = await sendRaw(server.url, ["CONNECT a:80 HTTP/1.1", "Host: a:80"]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it.each(["a:99999", "a b", "[::1", "a@b", "x, y"])(
    "answers Host %s with 400 in JSON",
    async (host) => {
      const { status, text } = await sendRaw(server.url, [
        "GET /api/things/7 HTTP/1.1",
        `Host: ${host}`,
      ]);
      expect([status, JSON.parse(text).code]).toEqual([400, "USR001"]);
    },
  );
  it("answers a name that leads here by DNS rebinding with 421", async () => {
    const { status, text } = await sendRaw(server.url, [
      "GET /metrics HTTP/1.1",
      "Host: evil.example",
    ]);
    expect([status, JSON.parse(text).message]).toEqual([
      421,
      expect.stringContaining("SERVER_HOSTS"),
    ]);
  });
  it("refuses the form of another site's page, and takes the same from ours", async () => {
    const from = async (origin: string) => {
      const head = ["Content-Type: application/json", `Origin: ${origin}`, "Content-Length: 2"];
      const { status } = await sendRaw(
        server.url,
        ["PUT /api/things HTTP/1.1", "Host: localhost", ...head],
        "{}",
      );
      return status;
    };
    expect(await from("https://evil.example")).toBe(403);
    expect(await from("http://localhost")).toBe(200);
  });

  const put = (body: string, ...headers: string[]) =>
    sendRaw(server.url, [
      "PUT /api/things HTTP/1.1",
      "Host: localhost",
      `Content-Length: ${body.length}`,
      ...headers,
    ], body);
  const json = "Content-Type: application/json";

  it.each<[string, string[]]>([
    ["says nothing", []],
    ["says that it is JSON", [json]],
    ["has length 0", ["Content-Length: 0"]],
    ["comes in no pieces", [json, "Transfer-Encoding: chunked"]],
  ])("asks for the body that a request lacks which %s", async (_, headers) => {
    const empty = headers.at(-1)?.endsWith("chunked") ? "0\r\n\r\n" : "";
    for (const line of ["PUT /api/things", "POST /ingestion/things"]) {
      const head = [`${line} HTTP/1.1`, "Host: localhost", ...headers];
      const { status, text } = await sendRaw(server.url, head, empty);
      expect([status, JSON.parse(text).details]).toEqual([
        400,
        [{ field: "body", message: "is required" }],
      ]);
    }
  });
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
  ])(
    "refuses bodies of type %j, as web pages can send them anywhere",
    async (type) => {
      const headers = type === "" ? [] : [`Content-Type: ${type}`];
      const head = ["Host: localhost", "Content-Length: 2", ...headers];
      for (const line of ["PUT /api/things", "POST /ingestion/things"]) {
        const { status } = await sendRaw(server.url, [`${line} HTTP/1.1`, ...head], "{}");
        expect([line, status]).toEqual([line, 415]);
      }
    },
  );
  it("answers 408 to a body that does not come in time", async () => {
    const head = ["Host: localhost", json, "Content-Length: 100"];
    const { status, text } = await sendRaw(server.url, ["PUT /api/things HTTP/1.1", ...head], "{");
    expect([status, JSON.parse(text).code]).toEqual([408, "USR001"]);
  });
  it("answers 400 to a body over its limit, declared or not", async () => {
    const large = `{"things":[${" ".repeat(2_200_000)}]}`;
    const { status, text } = await put(large, json);
    expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining("2097152")]);
  });
  it.each<[string, string]>([
    ["elements", `{"things":[${"{},".repeat(200_000)}{}]}`],
    ["bare elements", `{"things":[${"1,".repeat(200_000)}1]}`],
    ["nesting", `{"things":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["members", `{${'"a":1,'.repeat(260_000)}"b":1}`],
  ])("refuses too many %s before they are parsed", async (_, body) => {
    const begun = performance.now();
    const { status } = await put(body, json);
    expect(status).toBe(400);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
  it("names a bounded number of places of what is within the bounds", async () => {
    const { status, text } = await put(`{"things":[${"{},".repeat(15_000)}{}]}`, json);
    expect([status, JSON.parse(text).details.length]).toEqual([400, 50]);
  });
  it("takes a client that leaves within its body for no failure", async () => {
    const socket = await openRaw(server.url);
    socket.write(
      `PUT /api/things HTTP/1.1\r\nHost: localhost\r\n${json}\r\nContent-Length: 9\r\n\r\n{`,
    );
    socket.destroy();
    await eventually(async () => {
      const { content } = await metrics.exposition();
      expect(content).toContain('count{method="PUT",route="/api/things",status="400"}');
    });
  });

  it("tells browsers to be careful, with every answer", async () => {
    for (
      const line of ["GET /api/things/7", "GET /api/things/x", "GET /no", "TRACE /api/things/7"]
    ) {
      const { headers } = await send(line);
      expect(Object.fromEntries(headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
      });
    }
  });
  it("lets nobody keep an answer that may hold a secret", async () => {
    expect((await put("{}", json)).headers.get("cache-control")).toBe("no-store");
  });

  it("keeps its metrics small, whatever methods and paths are requested", async () => {
    for (let i = 0; i < 300; i++) await send(`M${i}${"X".repeat(100)} /api/things/${i}`);
    for (let i = 0; i < 50; i++) await send(`GET /nowhere/${i}`);
    const { content } = await metrics.exposition();
    expect(content).toContain('method="_OTHER",route="unmatched",status="405"');
    expect(content.length).toBeLessThan(50_000);
    expect(content).not.toMatch(/M1X|nowhere/);
  });
  it("logs none of it as its own failure", () => {
    expect(logs.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
  });
});
