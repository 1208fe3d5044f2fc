import { expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { Config } from "#platform/config/schema.ts";
import { createApp } from "#platform/http/app.ts";
import { callerQueue } from "#platform/http/shares.ts";
import { openAccess } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { operation, serve } from "#platform/operations/declare.ts";
import { callerFrom } from "#test/support/http/caller.ts";
import { eventually } from "#test/support/eventually.ts";

const max = 3;
const spec = operation({
  id: "read",
  method: "get",
  path: "/api/things",
  tag: "t",
  document: "platform",
  summary: "Waits",
  access: "signed-in",
  responses: { 200: { description: "Done" } },
});

/** An application whose requests wait until `finish`; `running`: how many of whom are at work. */
function fixture() {
  const running = new Map<string | null, number>();
  const waiting: (() => void)[] = [];
  const work = async (actor: Caller) => {
    running.set(actor.name, (running.get(actor.name) ?? 0) + 1);
    await new Promise<void>((done) => waiting.push(done));
    running.set(actor.name, running.get(actor.name)! - 1);
  };
  const app = createApp({
    routes: [serve(spec, async ({ actor }) => (await work(actor), { status: 200 }))],
    pages: [{
      path: "/mcp",
      access: "signed-in",
      respond: async ({ caller }) => (await work(caller), new Response()),
    }],
    log: silentLogger,
    metrics: noMetrics,
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    config: Config.parse({ server: { "max-requests-per-caller": max } }),
    access: {
      ...openAccess,
      authenticator: {
        authenticate: ({ headers }) => Promise.resolve(JSON.parse(headers.get("x-who")!) as Caller),
      },
    },
  });
  const send = async (who: Caller, path = "/api/things") => {
    const headers = { "x-who": JSON.stringify(who) };
    return (await app.request(`http://localhost${path}`, { headers })).status;
  };
  const finish = () => waiting.splice(0).forEach((done) => done());
  return { send, finish, running };
}

it("a person has so many requests at work at once, with whatever credential; the others wait, and other people do not", async () => {
  const { send, finish, running } = fixture();
  const token = { ...callerFrom("mallory"), credential: "personal-token" } as const;
  const mallorys = Array.from(
    { length: 10 },
    (_, n) => n % 2 === 0 ? send(callerFrom("mallory")) : send(token, "/mcp"),
  );
  const bobs = send(callerFrom("bob"));
  await eventually(() => expect(running).toEqual(new Map([["mallory", max], ["bob", 1]])));
  finish();
  expect(await bobs).toBe(200);
  await eventually(() => {
    finish();
    expect(running.get("mallory")).toBe(0);
  });
  expect(await Promise.all(mallorys)).toEqual(Array(10).fill(200));
});

it("429 where too many of one person wait; others go on", async () => {
  const { send, finish, running } = fixture();
  const all = Array.from(
    { length: max + callerQueue.maxWaitingPerKey },
    () => send(callerFrom("mallory")),
  );
  await eventually(() => expect(running.get("mallory")).toBe(max));
  expect(await send(callerFrom("mallory"))).toBe(429);
  const bobs = send(callerFrom("bob"));
  await eventually(() => expect(running.get("bob")).toBe(1));
  await eventually(() => {
    finish();
    expect([...running.values()]).toEqual([0, 0]);
  });
  expect(new Set(await Promise.all([...all, bobs]))).toEqual(new Set([200]));
});

it.each<[string, Caller]>([
  ["the service key", {
    kind: "service-key",
    name: "ADMIN",
    provider: "",
    credential: "service-key",
  }],
  ["nobody who signed in", { kind: "user", name: null, provider: "" }],
])("does not hold for %s", async (_, who) => {
  const { send, finish, running } = fixture();
  const all = Array.from({ length: 2 * max }, () => send(who));
  await eventually(() => expect(running.get(who.name)).toBe(2 * max));
  finish();
  expect(await Promise.all(all)).toEqual(Array(2 * max).fill(200));
});
