import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { BodyReader, streamedBody } from "#platform/http/body.ts";
import { type HttpListener, listen } from "#platform/http/runtime.ts";
import { raw } from "#platform/http/testing/operations.ts";
import { ok, serve } from "#platform/operations/declare.ts";
import { openRaw } from "#test/support/http/raw-http.ts";

const bounds = { maxBytes: 5_000_000, timeoutMs: 5_000 };
const reader = new BodyReader(bounds);

/** The two ways to read a body. */
const readers: Record<string, (request: Request) => Promise<number>> = {
  "piece by piece": async (request) =>
    (await Array.fromAsync(streamedBody(request, bounds))).length,
  "whole": (request) => reader.read(request, ({ length }) => Promise.resolve(length)),
};

describe.each(Object.entries(readers))("a body that is read %s", (_, read) => {
  let server: HttpListener;
  beforeAll(() => {
    const app = createApp({
      routes: [serve(raw, async ({ request }) => ok(await read(request)))],
      log: silentLogger,
      metrics: noMetrics,
      clock: systemClock,
      config: Config.parse({}),
    });
    server = listen((request) => app.fetch(request), { host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.stop(0));

  it("whose content does not match its encoding is read to its end, so that the connection stays usable", async () => {
    const socket = await openRaw(server.url);
    let answers = "";
    const closed = new Promise((done) => socket.once("close", done));
    socket.setEncoding("latin1").on("data", (text: string) => answers += text);
    const body = Buffer.alloc(600_000, "A");
    const head = ["POST /ingestion/things HTTP/1.1", "Host: localhost"];
    const encoded = ["Content-Encoding: gzip", "Content-Type: application/json"];
    socket.write([...head, ...encoded, `Content-Length: ${body.length}`, "", ""].join("\r\n"));
    socket.write(body);
    socket.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await closed;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 404"]);
  });
});
