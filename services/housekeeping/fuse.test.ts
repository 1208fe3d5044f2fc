import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { day, now, StaleSource } from "./testing/stale.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { chunkSize } from "./expiry.ts";

let t: TestDatabase;
let s: StaleSource;
beforeAll(async () => void (t = await testDatabase()));
beforeEach(async () => void (s = await StaleSource.make(t.db)));
afterAll(() => t.drop());

const alerts = () =>
  t.db.query(
    `SELECT count(DISTINCT a.id) AS n, count(c.*) AS chunks
       FROM alert a LEFT JOIN alert_chunk c ON c.alert_id = a.id WHERE a.data_source_id = $1`,
    [s.id],
  );

describe("the fuse", () => {
  it.each<[number, number, number]>([[20, 0.2, 20], [21, 0.2, 0], [21, 0.92, 21], [23, 0.92, 23], [
    24,
    0.91,
    0,
  ]])(
    "of %d stale and two live others, a share of %d: %d expire",
    async (count, fuse, expired) => {
      await s.alive();
      await s.many(count);
      expect(await s.sweep({ fuse })).toBe(expired);
    },
  );

  it("tells once, in an alert about the source, and is a metric", async () => {
    await s.alive();
    await s.many(21);
    await s.sweep();
    await s.sweep();
    expect(await alerts()).toEqual([{ n: 1, chunks: 1 }]);
    expect(s.gauges).toEqual([1, 1]);
    await t.db.query("UPDATE data_entity SET last_ingested_at = $1 WHERE data_source_id = $2", [
      new Date(now - 6 * day),
      s.id,
    ]);
    await s.seen(day);
    await s.sweep();
    expect(s.gauges).toEqual([1, 1, 0]);
  });

  it.each<[number, number, boolean]>([
    [40, 0, true],
    [37, 0, true],
    [44, 0, true],
    [36, 0, false],
    [45, 0, false],
    [40, day - 1, true],
    [40, day, false],
  ])("40 stale, %d approved %d ms before: %s", async (count, ago, expires) => {
    await s.alive();
    await s.many(40);
    await s.approve(count, now - ago);
    expect(await s.sweep()).toBe(expires ? 40 : 0);
    expect(
      await t.db.query(
        "SELECT FROM stale_source WHERE approved IS NOT NULL AND data_source_id = $1",
        [s.id],
      ),
    )
      .toHaveLength(expires ? 0 : 1);
  });

  it("an approved sweep that was interrupted goes on", async () => {
    await s.alive();
    await s.many(chunkSize + 100);
    await s.approve(chunkSize + 100);
    const interrupted = s.sweeping();
    expect((await interrupted.next()).value).toBe(chunkSize);
    await interrupted.return(undefined);
    expect(await s.sweep()).toBe(100);
  });
});
