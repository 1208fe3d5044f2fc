import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { unpack } from "../facts/index.ts";
import { Ticker } from "./ticker.ts";

const windowMs = 2_000;

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

describe("Ticker.round", () => {
  let published: NewRecord[];
  let observed: Map<number, number> | undefined;
  let ticker: Ticker;

  beforeEach(async () => {
    await t.db.query("TRUNCATE span_checkpoint");
    published = [];
    const log: Pick<EventLog, "bounds" | "publish"> = {
      bounds: () =>
        Promise.resolve([0, 1, 2, 3].map((partition) => ({ partition, start: 0, end: 7 }))),
      publish: (_topic, records) => {
        published.push(...records);
        return Promise.resolve([]);
      },
    };
    ticker = new Ticker({
      db: t.db,
      events: log as EventLog,
      clock: systemClock,
      log: silentLogger,
      windowMs,
      publishMs: 1_000,
      onRound: (ends) => Promise.resolve(void (observed = ends)),
    });
  });

  const checkpoint = (partition: number, next: number, waiting: number, agoMs: number) =>
    t.db.query(
      `INSERT INTO span_checkpoint (partition, next_offset, stream_time, replay_offset, replay_time,
         positions, read, waiting, changed_at)
       VALUES ($1, $2, 0, 0, 0, '', $3, $3, now() - $4 * interval '1 millisecond')`,
      [partition, next, waiting, agoMs],
    );

  it("appends a tick where spans wait, all records are counted, and nothing was written lately", async () => {
    await checkpoint(0, 7, 3, windowMs);
    await checkpoint(1, 6, 3, windowMs);
    await checkpoint(2, 7, 0, windowMs);
    await checkpoint(3, 7, 3, 0);
    expect(await ticker.round()).toBe(1);
    expect(published.map(({ partition }) => partition)).toEqual([0]);
    expect(unpack(published[0]!)).toEqual([]);
    expect(observed?.get(3)).toBe(7);
  });

  it("writes nothing where nothing waits", async () => {
    await checkpoint(0, 7, 0, windowMs);
    expect(await ticker.round()).toBe(0);
    expect(published).toEqual([]);
  });
});
