import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Lease, Leases } from "#metadata/postgres/leases.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";

let t: TestDatabase;
let one: Leases;
let other: Leases;
beforeAll(async () => {
  t = await testDatabase();
  [one, other] = [new Leases(t.db, "one"), new Leases(t.db, "other")];
});
afterAll(() => t.drop());
beforeEach(() => t.db.query("DELETE FROM lease"));

const minute = 60_000;
const hasCurrentEpoch = (leases: Leases, lease: Lease, ttlMs = minute) =>
  t.db.transaction((tx) => leases.fence(tx, lease, ttlMs));

it("one holds a lease until it is given up, and each change of holder raises the epoch", async () => {
  expect(await one.acquire("l", minute)).toEqual({ name: "l", epoch: 1 });
  expect(await other.acquire("l", minute)).toBeNull();
  expect(await one.acquire("l", minute)).toEqual({ name: "l", epoch: 1 });
  await one.release("l");
  expect(await other.acquire("l", minute)).toEqual({ name: "l", epoch: 2 });
});

it("a transaction of who lost the lease is told so, even if the lease came back", async () => {
  const lease = (await one.acquire("l", minute))!;
  expect(await hasCurrentEpoch(one, lease)).toBe(true);
  const seized = await other.seize("l", minute);
  expect(seized.epoch).toBe(2);
  expect(await hasCurrentEpoch(one, lease)).toBe(false);
  expect(await hasCurrentEpoch(other, seized)).toBe(true);
  expect((await one.seize("l", minute)).epoch).toBe(3);
  expect(await hasCurrentEpoch(one, lease)).toBe(false);
});

it("a fence renews the lease, and does not revive one that ended", async () => {
  const lease = (await one.acquire("l", minute))!;
  await hasCurrentEpoch(one, lease, 60 * minute);
  const [left] = await t.db.query("SELECT FROM lease WHERE expires_at > now() + interval '59 min'");
  expect(left).toBeDefined();
  await one.release("l");
  expect(await hasCurrentEpoch(one, lease)).toBe(false);
});

it("an epoch is raised above another one by its holder alone", async () => {
  await one.acquire("l", minute);
  expect(await other.raise("l", 7)).toBeNull();
  expect(await one.raise("l", 7)).toEqual({ name: "l", epoch: 8 });
  expect(await one.raise("l", 7)).toBeNull();
  await one.release("l");
  expect(await one.raise("l", 9)).toBeNull();
});
