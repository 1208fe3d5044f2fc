import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alertEventHeaders, alertEvents } from "#contract/topics.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { eventually } from "#test/support/eventually.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { parseLsn } from "#metadata/postgres/history/compare.ts";
import {
  announcedIds,
  collectingLogger,
  publishingAfter,
  ReaderUnderTest,
  recordsOf,
} from "./testing/harness.ts";

describe.each(engineSets())("SlotReader, %s", (set) => {
  let u: ReaderUnderTest;

  beforeAll(async () => void (u = await ReaderUnderTest.open(set)));
  afterAll(() => u.close());

  it("announces an insert with its key, its id and its trace", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    const [id] = await u.insert(1, 77);
    await u.announced([id!]);
    const record = (await recordsOf(u.events, alertEvents))
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
    const before = await announcedIds(u.events);
    const ids = await u.insert(3);
    const reader = await u.start();
    await u.announced(ids);
    await reader.stop();
    const repeated = await u.start();
    const more = await u.insert(1);
    await u.announced(more);
    await repeated.stop();
    const all = (await announcedIds(u.events)).sort((a, b) => a - b);
    expect(all).toEqual([...before, ...ids, ...more].sort((a, b) => a - b));
  });

  it("announces 5,000 changes in a burst, each once and those of one alert in order", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    const batches = await Promise.all(
      Array.from({ length: 10 }, (_, i) => u.insert(500, 1_000 + i)),
    );
    await eventually(async () => {
      expect(reader.health().detail).toContain("last published event");
      expect((await announcedIds(u.events)).length).toBeGreaterThanOrEqual(5_000);
    });
    const all = await announcedIds(u.events);
    for (const ids of batches) {
      const mine = all.filter((id) => ids.includes(id));
      expect(mine).toEqual(ids);
    }
    await reader.stop();
  });

  it("has one reader at a time, and the other takes over at once", async () => {
    const [one, other] = [await u.start(), await u.start()];
    const pair = [one, other];
    const first = await eventually(() => {
      const states = pair.map((r) => r.health().state).sort();
      expect(states).toEqual(["reading", "standby"]);
      return pair.find((r) => r.health().state === "reading")!;
    });
    const second = pair.find((r) => r !== first)!;
    expect(second.health().ready).toBe(true);
    await first.stop();
    const ids = await u.insert(2);
    await u.announced(ids);
    await u.stands(second, "reading");
    await second.stop();
  });

  it("ends and begins again when more comes than may wait, and gets on each time", async () => {
    const lines: string[] = [];
    const gate = Promise.withResolvers<void>();
    const reader = await u.start({
      maxWaiting: 300,
      log: collectingLogger(lines),
      events: publishingAfter(gate.promise, u.events),
    });
    await u.stands(reader, "reading");
    const ids = await u.insert(3_000);
    await eventually(async () => expect((await u.snapshot()).slot?.active).toBe(false));
    gate.resolve();
    const mine = async () => (await announcedIds(u.events)).filter((id) => id >= ids[0]!);
    await eventually(async () => expect((await mine()).length).toBeGreaterThanOrEqual(3_000), {
      describe: () => reader.health(),
    });
    expect(await mine()).toEqual(ids);
    expect(lines.filter((line) => line.includes('"state":"overloaded"'))).not.toHaveLength(0);
    await reader.stop();
  });

  it("confirms the log while its table is quiet and others are written", async () => {
    const reader = await u.start();
    await u.stands(reader, "reading");
    const before = (await u.snapshot()).slot!.confirmedLsn!;
    await u.t.db.query("CREATE TABLE elsewhere AS SELECT generate_series(1, 10000) AS n");
    const [row] = await u.t.db.query<{ lsn: string }>("SELECT pg_current_wal_lsn()::text AS lsn");
    await eventually(async () => {
      const { slot } = await u.snapshot();
      expect(parseLsn(slot!.confirmedLsn!)).toBeGreaterThanOrEqual(parseLsn(row!.lsn));
    });
    expect(parseLsn(row!.lsn)).toBeGreaterThan(parseLsn(before));
    await reader.stop();
  });

  it("tells its state, the slot's lag and what it published, in metrics and health", async () => {
    const metrics = createMetrics();
    const reader = await u.start({ metrics });
    await u.stands(reader, "reading");
    const [id] = await u.insert(1);
    await u.announced([id!]);
    await eventually(async () => {
      const { content } = await metrics.exposition();
      expect(content).toContain('tributary_notifier_reader_state{state="reading"} 1');
      expect(content).toContain('tributary_notifier_reader_state{state="standby"} 0');
      expect(content).toContain('tributary_notifier_slot_wal_status{status="reserved"} 1');
      expect(content).toMatch(/^tributary_notifier_slot_lag_bytes \d+$/m);
      expect(content).toMatch(/^tributary_notifier_slot_retained_bytes \d+$/m);
      expect(content).toContain('tributary_notifier_events_published_total{source="stream"} 1');
      expect(content).toMatch(/^tributary_notifier_last_published_event_timestamp_seconds 1\d+/m);
    });
    expect(reader.health()).toEqual({
      ready: true,
      state: "reading",
      detail: expect.stringMatching(
        new RegExp(
          `^slot lag \\d+ bytes, retained \\d+ bytes, WAL reserved, last published event ${id}$`,
        ),
      ),
    });
    await reader.stop();
    expect(reader.health()).toMatchObject({ ready: false, state: "stopped" });
  });
});
