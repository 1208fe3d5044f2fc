import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { AppliedBackpressure, maxAhead, maxWaitMs } from "./applied.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

const never = new AbortController().signal;

/** A pace whose waits do something, and take the time that they are told. */
function paced(wait: (nth: number) => Promise<unknown> = () => Promise.resolve()) {
  const clock = { at: 0, waits: 0, now: () => clock.at, sleep };
  async function sleep(ms: number): Promise<void> {
    clock.at += ms;
    await wait(++clock.waits);
  }
  return { clock, backpressure: new AppliedBackpressure({ db: t.db, clock }) };
}

const apply = (batch: string) =>
  t.db.query(
    "INSERT INTO applied_batch (batch, part, outcome, position) VALUES ($1, 0, 'applied', 0)",
    [batch],
  );

const batches = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

it("waits until no more than a few of its batches wait to be applied", async () => {
  const posted = batches("a", maxAhead + 2);
  const { clock, backpressure } = paced((nth) => apply(posted[nth - 1]!));
  backpressure.posted(posted.slice(0, maxAhead));
  await backpressure.waitForCapacity(never);
  expect(clock.waits).toBe(0);
  backpressure.posted(posted.slice(maxAhead));
  await backpressure.waitForCapacity(never);
  expect(clock.waits).toBe(2);
});

it("goes on slowly when nobody applies them", async () => {
  const { clock, backpressure } = paced();
  backpressure.posted(batches("b", maxAhead + 1));
  await backpressure.waitForCapacity(never);
  expect(clock.at).toBeGreaterThanOrEqual(maxWaitMs);
  expect(clock.at).toBeLessThan(2 * maxWaitMs);
  await backpressure.waitForCapacity(never);
  expect(clock.at).toBeLessThan(2 * maxWaitMs);
});

it("ends when it is stopped", async () => {
  const stop = new AbortController();
  const { clock, backpressure } = paced(() => Promise.resolve(stop.abort()));
  backpressure.posted(batches("c", maxAhead + 1));
  await backpressure.waitForCapacity(stop.signal);
  expect(clock.waits).toBe(1);
});
