import { afterAll, beforeAll, expect, it } from "vitest";
import type { Lag } from "#eventlog/port.ts";
import { silentLogger } from "#kit/log.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { AppliedBatches } from "./applied.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await testDatabase();
  await t.db.query(
    "INSERT INTO ol_leaving (catrn, received_at, since) VALUES ('//gone', 1, now() - interval '1 hour')",
  );
});
afterAll(() => t.drop());

const partition = (committed: number, end: number, of = 0): Lag => (
  { partition: of, committed, end, lag: end - committed }
);

/** The batches of a log whose partitions a test sets; each look is 2 s after the one before. */
function watched() {
  const state = { lags: [] as Lag[], at: 0 };
  const lag = () =>
    state.lags.length > 0 ? Promise.resolve(state.lags) : Promise.reject(new Error("no answer"));
  const clock = { now: () => state.at, sleep: () => Promise.resolve() };
  const parts = { db: t.db, events: { lag }, clock, log: silentLogger };
  const applied = new AppliedBatches(parts as never);
  const look = async (...lags: Lag[]) => {
    Object.assign(state, { lags, at: state.at + 2_000 });
    return await applied.until();
  };
  return { state, applied, look };
}

it("knows a moment at once when all is applied", async () => {
  const { look } = watched();
  const before = Date.now();
  const until = await look(partition(3, 3), partition(0, 0, 1));
  expect(until).toBeGreaterThanOrEqual(before - 1_000);
});

it("knows the moment of a look once each partition was applied to where it ended then", async () => {
  const { look } = watched();
  expect(await look(partition(0, 5), partition(2, 4, 1))).toBeNull();
  const between = Date.now() + 1_000;
  expect(await look(partition(5, 9), partition(3, 8, 1))).toBeNull();
  const until = await look(partition(6, 12), partition(4, 9, 1));
  expect(until).not.toBeNull();
  expect(until).toBeLessThanOrEqual(between);
  expect(await look(partition(7, 12), partition(4, 9, 1))).toBe(until);
});

it("keeps what it knew while the log does not answer, and between two looks", async () => {
  const { state, applied, look } = watched();
  const until = await look(partition(1, 1));
  expect(await look()).toBe(until);
  state.lags = [partition(1, 1)];
  expect(await applied.until()).toBe(until);
  expect(await look(partition(1, 1))).toBeGreaterThanOrEqual(until!);
});

it("does not ask the log while nothing leaves for long", async () => {
  await t.db.query("UPDATE ol_leaving SET since = now()");
  const { look } = watched();
  expect(await look(partition(1, 1))).toBeNull();
});
