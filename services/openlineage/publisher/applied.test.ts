import { afterAll, beforeAll, expect, it } from "vitest";
import type { Lag } from "#eventlog/port.ts";
import { silentLogger } from "#kit/log.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { AppliedBatches } from "#platform/composed-source/applied.ts";
import { queue } from "./rows.queries.ts";

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
  const deps = { db: t.db, events: { lag }, clock, log: silentLogger, statements: queue };
  const applied = new AppliedBatches(deps as never);
  const poll = async (...lags: Lag[]) => {
    Object.assign(state, { lags, at: state.at + 2_000 });
    return await applied.until();
  };
  return { state, applied, poll };
}

it("knows a moment at once when all is applied", async () => {
  const { poll } = watched();
  const before = Date.now();
  const until = await poll(partition(3, 3), partition(0, 0, 1));
  expect(until).toBeGreaterThanOrEqual(before - 1_000);
});

it("knows the moment of a look once each partition was applied to where it ended then", async () => {
  const { poll } = watched();
  expect(await poll(partition(0, 5), partition(2, 4, 1))).toBeNull();
  const between = Date.now() + 1_000;
  expect(await poll(partition(5, 9), partition(3, 8, 1))).toBeNull();
  const until = await poll(partition(6, 12), partition(4, 9, 1));
  expect(until).not.toBeNull();
  expect(until).toBeLessThanOrEqual(between);
  expect(await poll(partition(7, 12), partition(4, 9, 1))).toBe(until);
});

it("keeps what it knew while the log does not answer, and between two looks", async () => {
  const { state, applied, poll } = watched();
  const until = await poll(partition(1, 1));
  expect(await poll()).toBe(until);
  state.lags = [partition(1, 1)];
  expect(await applied.until()).toBe(until);
  expect(await poll(partition(1, 1))).toBeGreaterThanOrEqual(until!);
});

it("does not ask the log while nothing leaves for long", async () => {
  await t.db.query("UPDATE ol_leaving SET since = now()");
  const { poll } = watched();
  expect(await poll(partition(1, 1))).toBeNull();
});
