import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventLog } from "#eventlog/port.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { notifierEnvironment, readerOf } from "#test/support/alerts/notifier.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { setsBySize } from "#test/support/engines/sets-by-size.ts";
import { announcedIds, ensureTopics, insertEvents, targetOf } from "./testing/harness.ts";

describe.each(setsBySize())("notifiers as processes, %s", (set) => {
  let t: TestDatabase;
  let events: EventLog;
  let pair: ServiceProcess[];
  const inserted: number[] = [];

  beforeAll(async () => {
    t = await testDatabase();
    events = openLog(targetOf(set, t.url, t.name));
    await ensureTopics(events);
    const env = notifierEnvironment(set, t);
    pair = await Promise.all(
      ["one", "other"].map((name) => startService({ service: "notifier", name, env })),
    );
  });
  afterAll(async () => {
    await Promise.all(pair.map((service) => service.kill()));
    await events.close();
    await t.drop();
  });

  const withState = (state: string, among = pair) =>
    eventually(async () => {
      for (const service of among) {
        if ((await readerOf(service)).state === state) return service;
      }
      throw new Error(`nobody is ${state}`);
    });
  /** Changes go on being recorded until the returned function is called. */
  const recording = () => {
    let on = true;
    const loop = (async () => {
      const tick = () => new Promise((tick) => setTimeout(tick, 20));
      for (; on; await tick()) inserted.push(...await insertEvents(t.db, 7));
    })();
    return async () => {
      on = false;
      await loop;
    };
  };
  const allAnnounced = () =>
    eventually(async () => {
      const got = new Set(await announcedIds(events));
      const missing = inserted.filter((id) => !got.has(id));
      if (missing.length > 0) throw new Error(`${missing.length} missing, from ${missing[0]}`);
    }, { describe: () => Promise.all(pair.map(readerOf)) });

  it("the other takes over within seconds when the reader is killed, and nothing is lost", async () => {
    const first = await withState("reading");
    const second = pair.find((service) => service !== first)!;
    await withState("standby", [second]);
    const stop = recording();
    await eventually(() => expect(inserted.length).toBeGreaterThan(100));
    await first.kill();
    const killed = performance.now();
    await withState("reading", [second]);
    // Sooner than the server gives up one that is merely silent.
    expect(performance.now() - killed).toBeLessThan(6_000);
    await stop();
    await allAnnounced();
    await first.start();
    await withState("standby", [first]);
  });

  it("the other takes over when the reader freezes, which then stands by", async () => {
    const first = await withState("reading");
    const second = pair.find((service) => service !== first)!;
    const stop = recording();
    await first.pause();
    const frozen = performance.now();
    await withState("reading", [second]);
    expect(performance.now() - frozen).toBeLessThan(15_000);
    first.resume();
    await withState("standby", [first]);
    await stop();
    await allAnnounced();
  });

  it("ends in order and leaves the slot to the other", async () => {
    const first = await withState("reading");
    const second = pair.find((service) => service !== first)!;
    const { code, ms } = await first.terminate();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    await withState("reading", [second]);
    inserted.push(...await insertEvents(t.db, 3));
    await allAnnounced();
    expect((await readerOf(second)).detail).toMatch(/slot lag \d+ bytes/);
  });
});
