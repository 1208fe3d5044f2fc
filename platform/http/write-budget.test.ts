import { z } from "zod";
import { expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { openAccess } from "#platform/operations/access.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { callerFrom, type TestCaller } from "#test/support/http/caller.ts";

const day = 24 * 3_600_000;
const activity = { none: "a test" } as const;
const common = { tag: "t", document: "platform", summary: "", access: "signed-in" } as const;
const body = z.object({ text: z.string() });
const responses = { 200: { description: "Done" } };
const done = () => Promise.resolve({ status: 200 });
const routes: Route[] = [
  serve(
    operation({ ...common, id: "write", method: "put", path: "/api/x", activity, body, responses }),
    done,
  ),
  serve(
    operation({
      ...{ ...common, id: "ask", method: "post", path: "/api/ask", activity, body, responses },
      reads: true,
    }),
    done,
  ),
  serve(operation({ ...common, id: "read", method: "get", path: "/api/x", responses }), done),
];

/** An application in which one may write so many bytes a day. */
function appWith(max: string) {
  let now = 1_000_000;
  const app = createApp({
    routes,
    log: silentLogger,
    metrics: noMetrics,
    clock: { now: () => now, sleep: () => Promise.resolve() },
    config: Config.parse({ server: { "max-written-per-caller": max } }),
    access: {
      ...openAccess,
      authenticator: {
        authenticate: ({ headers }) =>
          Promise.resolve(callerFrom(JSON.parse(headers.get("x-who")!) as TestCaller)),
      },
    },
  });
  const send = async (who: TestCaller, method: string, path: string, bytes?: number) => {
    const response = await app.request(`http://localhost${path}`, {
      method,
      headers: { "content-type": "application/json", "x-who": JSON.stringify(who) },
      ...(bytes !== undefined && { body: JSON.stringify({ text: "x".repeat(bytes) }) }),
    });
    await response.text();
    return response;
  };
  const write = async (who: TestCaller, bytes: number) =>
    (await send(who, "PUT", "/api/x", bytes)).status;
  return { send, write, pass: (ms: number) => void (now += ms) };
}

it("a caller writes so many bytes a day and no more; others go on, and it may still read", async () => {
  const { send, write, pass } = appWith("1 MB");
  for (let n = 0; n < 4; n++) expect(await write("mallory", 300_000)).toBe(200);
  const refused = await send("mallory", "PUT", "/api/x", 1);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
  expect(await write("ada", 300_000)).toBe(200);
  expect((await send("mallory", "GET", "/api/x")).status).toBe(200);
  expect((await send("mallory", "POST", "/api/ask", 10)).status).toBe(200);
  pass(day + 1);
  expect(await write("mallory", 1)).toBe(200);
});

it("a short change counts for a kilobyte", async () => {
  const { write } = appWith("10 kB");
  const statuses = await Promise.all(Array.from({ length: 12 }, () => write("mallory", 1)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
});

it("the service key has no such limit, and 0 lifts it for all", async () => {
  const key = { kind: "service-key", name: "ADMIN", provider: "" } as const;
  const few = appWith("1 kB");
  for (let n = 0; n < 5; n++) expect(await few.write(key, 5_000)).toBe(200);
  const all = appWith("0");
  for (let n = 0; n < 5; n++) expect(await all.write("ada", 5_000)).toBe(200);
});
