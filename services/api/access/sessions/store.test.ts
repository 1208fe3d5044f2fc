import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisCache } from "#cache/redis.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { digestOf } from "#kit/secret.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { sessionProvider, Sessions, sessionStore } from "#services/api/access/sessions/sessions.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { distributed, redisUrl } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { testContext } from "#test/support/http/api.ts";

const providers = ["IN_MEMORY", "INTERNAL_POSTGRESQL", ...(distributed() ? ["REDIS"] : [])];
const ada = { username: "ada", provider: "", admin: true };

describe.each(providers)("sessions in %s", (provider) => {
  let database: TestDatabase;
  let context: Context;
  let now = Date.now();
  const clock = { now: () => now, sleep: () => Promise.resolve() };

  beforeAll(async () => {
    database = await testDatabase();
    const config = Config.parse({
      instance: database.name,
      session: { provider },
      cache: { redis: { url: "redis://127.0.0.1:1" } },
    });
    const given = { log: silentLogger, metrics: noMetrics, prefix: `${database.name}:` };
    const cache = provider === "REDIS" ? redisCache({ ...given, url: redisUrl() }) : undefined;
    if (cache) await eventually(() => cache.ping(1_000));
    context = testContext(database, { config, clock, ...(cache ? { cache } : {}) });
  });
  afterAll(async () => {
    if (provider === "REDIS") await context.cache.close();
    await context.wakeups.close();
    await database.drop();
  });

  const opened = (store = sessionStore(context)) =>
    new Sessions({
      store,
      clock,
      idleMs: 3_600_000,
      absoluteMs: 86_400_000,
    });

  it("finds whom a session belongs to, until it ends", async () => {
    const sessions = opened();
    const id = await sessions.begin(ada);
    expect(await sessions.find(id)).toMatchObject(ada);
    expect(await sessions.find(id.replace(/.$/, (c) => c === "A" ? "B" : "A"))).toBeUndefined();
    now += 120_000;
    expect(await sessions.find(id)).toMatchObject(ada);
    await sessions.end(id);
    await sessions.end(id);
    expect(await sessions.find(id)).toBeUndefined();
  });

  it.each(["", "{", "null", '{"username":1}'])(
    "a content that cannot be read, as of another release, is no session: %j",
    async (content) => {
      const store = sessionStore(context);
      const sessions = opened(store);
      const id = await sessions.begin(ada);
      await store.write(Buffer.from(digestOf(id)).toString("hex"), content, 60_000);
      expect(await sessions.find(id)).toBeUndefined();
    },
  );

  it("a session that ends while it is being used stays ended", async () => {
    const store = sessionStore(context);
    const sessions = opened(store);
    const id = await sessions.begin(ada);
    now += 120_000;
    const ending = opened({
      ...store,
      async read(key) {
        const content = await store.read(key);
        await store.remove(key);
        return content;
      },
    });
    await ending.find(id);
    expect(await sessions.find(id)).toBeUndefined();
  });

  it("ends in its time when it is only watched, however often", async () => {
    const sessions = opened();
    const [watched, used] = [await sessions.begin(ada), await sessions.begin(ada)];
    for (let minutes = 0; minutes < 60; minutes += 10) {
      expect(await sessions.find(watched, "watch")).toMatchObject(ada);
      expect(await sessions.find(used)).toMatchObject(ada);
      now += 600_000;
    }
    expect(await sessions.find(watched, "watch")).toBeUndefined();
    expect(await sessions.find(used)).toMatchObject(ada);
  });

  it("keeps the newest sessions of a user, also when many begin at once, and those of others", async () => {
    const sessions = new Sessions({
      ...{ store: sessionStore(context), clock, idleMs: 3_600_000, absoluteMs: 86_400_000 },
      maxPerUser: 3,
    });
    const eve = { username: `eve ${provider}`, provider: "", admin: false };
    const other = await sessions.begin({ ...eve, provider: "google" });
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await sessions.begin(eve));
    const found = await Promise.all(ids.map((id) => sessions.find(id)));
    expect(found.map((user) => user !== undefined)).toEqual([false, false, true, true, true]);
    const many = await Promise.all(Array.from({ length: 10 }, () => sessions.begin(eve)));
    const left = await Promise.all(many.map((id) => sessions.find(id)));
    expect(left.filter((user) => user !== undefined)).toHaveLength(3);
    expect(await sessions.find(other)).toMatchObject({ username: eve.username });
  });

  it("has two sessions of one user apart", async () => {
    const sessions = opened();
    const [one, other] = [await sessions.begin(ada), await sessions.begin(ada)];
    await sessions.end(one);
    expect(await sessions.find(other)).toMatchObject(ada);
  });
});

it("sessions are stored in Redis where it is configured, unless another store is named", () => {
  const of = (given: object) => sessionProvider(Config.parse(given));
  const redis = { cache: { redis: { url: "redis://127.0.0.1:1" } } };
  expect(of({})).toBe("IN_MEMORY");
  expect(of(redis)).toBe("REDIS");
  expect(of({ ...redis, session: { provider: "IN_MEMORY" } })).toBe("IN_MEMORY");
});
