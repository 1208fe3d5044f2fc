import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alertEventHeaders, alertEvents } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import { type TestDatabase, testDatabase } from "#test/support/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { engineSets } from "#test/support/instance.ts";
import { openLog } from "#test/support/logs.ts";
import type { SlotReader } from "./reader.ts";
import { lookAt } from "./slot.ts";
import {
  announcedIds,
  ensureTopics,
  insertEvents,
  namesFor,
  recordsOf,
  slotReader,
  targetOf,
} from "./test-harness.ts";
import { parseLsn } from "./lsn.ts";

describe.each(engineSets())("SlotReader, %s", (set) => {
  let t: TestDatabase;
  let events: EventLog;
  const running: SlotReader[] = [];

  beforeAll(async () => {
    t = await testDatabase();
    events = openLog(targetOf(set, t.url, t.name));
    await ensureTopics(events);
  });
  afterAll(async () => {
    for (const reader of running) await reader.stop();
    await events.close();
    await t.drop();
  });

  const start = async () => {
    const reader = slotReader({ db: t.db, events, names: namesFor(t.name) });
    running.push(reader);
    await reader.start(() => {});
    return reader;
  };
  const reading = (reader: SlotReader) =>
    eventually(() => expect(reader.health()).toMatchObject({ state: "reading", ready: true }));
  const announced = (ids: number[]) =>
    eventually(
      async () => expect(await announcedIds(events)).toEqual(expect.arrayContaining(ids)),
      {
        describe: async () => ({
          ids,
          health: running.map((r) => r.health()),
          got: await announcedIds(events),
        }),
      },
    );

  it("announces an insert with its key, its id and its trace", async () => {
    const reader = await start();
    await reading(reader);
    const [id] = await insertEvents(t.db, 1, 77);
    await announced([id!]);
    const record = (await recordsOf(events, alertEvents))
      .find(({ headers }) => headers[alertEventHeaders.event] === String(id));
    expect(record).toMatchObject({
      key: "77",
      headers: {
        type: "alert.event",
        version: "1",
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      },
    });
    await reader.stop();
  });

  it("repeats nothing and loses nothing over an orderly stop", async () => {
    const before = await announcedIds(events);
    const ids = await insertEvents(t.db, 3);
    const reader = await start();
    await announced(ids);
    await reader.stop();
    const again = await start();
    const more = await insertEvents(t.db, 1);
    await announced(more);
    await again.stop();
    const all = (await announcedIds(events)).sort((a, b) => a - b);
    expect(all).toEqual([...before, ...ids, ...more].sort((a, b) => a - b));
  });

  it("announces 5,000 changes in a burst, each once and those of one alert in order", async () => {
    const reader = await start();
    await reading(reader);
    const lots = await Promise.all(
      Array.from({ length: 10 }, (_, i) => insertEvents(t.db, 500, 1_000 + i)),
    );
    await eventually(async () => {
      expect(reader.health().detail).toContain("last published event");
      expect((await announcedIds(events)).length).toBeGreaterThanOrEqual(5_000);
    }, { within: 30_000 });
    const all = await announcedIds(events);
    for (const ids of lots) {
      const mine = all.filter((id) => ids.includes(id));
      expect(mine).toEqual(ids);
    }
    await reader.stop();
  });

  it("has one reader at a time, and the other takes over at once", async () => {
    const [one, other] = [await start(), await start()];
    const pair = [one, other];
    const first = await eventually(() => {
      const states = pair.map((r) => r.health().state).sort();
      expect(states).toEqual(["reading", "standby"]);
      return pair.find((r) => r.health().state === "reading")!;
    });
    const second = pair.find((r) => r !== first)!;
    expect(second.health().ready).toBe(true);
    await first.stop();
    const ids = await insertEvents(t.db, 2);
    await announced(ids);
    await reading(second);
    await second.stop();
  });

  it("confirms the log while its table is quiet and others are written", async () => {
    const reader = await start();
    await reading(reader);
    const before = (await lookAt(t.db, namesFor(t.name))).slot!.confirmedLsn!;
    await t.db.query("CREATE TABLE elsewhere AS SELECT generate_series(1, 10000) AS n");
    const [row] = await t.db.query<{ lsn: string }>("SELECT pg_current_wal_lsn()::text AS lsn");
    await eventually(async () => {
      const { slot } = await lookAt(t.db, namesFor(t.name));
      expect(parseLsn(slot!.confirmedLsn!)).toBeGreaterThanOrEqual(parseLsn(row!.lsn));
    });
    expect(parseLsn(row!.lsn)).toBeGreaterThan(parseLsn(before));
    await reader.stop();
  });
});
