import { z } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idParam } from "#contract/http.ts";
import { systemClock } from "#kit/clock.ts";
import { createApp } from "#platform/http/app.ts";
import { ok, operation, serve } from "#platform/http/operation.ts";
import { listen, type Listening } from "#platform/http/runtime.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { sendRaw } from "#test/support/raw-http.ts";

const thing = operation({
  id: "getThing",
  method: "get",
  path: "/api/things/{thing_id}",
  tag: "thing",
  document: "platform",
  summary: "One thing",
  access: "signed-in",
  params: z.object({ thing_id: idParam("thing_id") }),
  responses: { 200: { description: "The thing" } },
});

describe("an application on a socket", () => {
  const metrics = createMetrics();
  const logs: string[] = [];
  const app = createApp({
    routes: [serve(thing, ({ params }) => Promise.resolve(ok({ id: params.thing_id })))],
    log: createLogger({ level: "info", format: "json", write: (line) => logs.push(line) }),
    metrics,
    clock: systemClock,
  });
  let server: Listening;
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

  it("keeps its metrics small, whatever methods and paths are asked for", async () => {
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
