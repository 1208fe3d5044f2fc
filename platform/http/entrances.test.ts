import { z } from "@hono/zod-openapi";
import { expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { ok, operation, serve } from "#platform/operations/declare.ts";

const taking = (id: string, path: string) =>
  operation({
    id,
    method: "post",
    path,
    tag: "thing",
    document: "platform",
    summary: "Takes a list of numbers",
    access: "anonymous",
    activity: { none: "a test" },
    body: z.object({ numbers: z.array(z.number()) }),
    responses: { 200: { description: "Taken", schema: z.unknown() } },
  });

it("what strangers send to an entrance uses up nothing of what their address may send elsewhere", async () => {
  const specs = [taking("takeEvent", "/api/chat/events"), taking("takeThing", "/api/things")];
  const app = createApp({
    routes: specs.map((spec) => serve(spec, () => Promise.resolve(ok("taken")))),
    log: silentLogger,
    metrics: noMetrics,
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    config: Config.parse({ server: { "max-refused-bytes-per-address": "1 MB" } }),
  });
  const post = async (path: string, body: string) => {
    const headers = { "content-type": "application/json" };
    const request = new Request(`http://localhost${path}`, { method: "POST", headers, body });
    return (await app.fetch(request, { client: "192.0.2.1" })).status;
  };
  const refused = JSON.stringify({ text: "x".repeat(600_000) });
  for (let i = 0; i < 3; i++) await post("/api/chat/events", refused);
  expect(await post("/api/chat/events", refused)).toBe(429);
  const numbers = JSON.stringify({ numbers: Array(100_000).fill(123) });
  expect(await post("/api/things", numbers)).toBe(200);
});
