import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { silentLogger } from "#kit/log.ts";
import { LeasedLoop, type LeasedLoopOptions, Leases } from "#metadata/postgres/leases.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());

function loopOf(holder: string, given: Partial<LeasedLoopOptions> = {}) {
  let rounds = 0;
  const loop = new LeasedLoop({
    lease: { name: "test", ttlMs: 60_000 },
    leases: new Leases(t.db, holder),
    log: silentLogger,
    clock: systemClock,
    standbyMs: 5,
    retry: { initial: 1, max: 5 },
    lead: () => Promise.resolve((rounds++, 5)),
    failed: () => {},
    ...given,
  });
  const start = () =>
    loop.start((error) => {
      throw error;
    });
  return { loop, start, rounds: () => rounds };
}

it("lets one process lead, and another take over as soon as the lease is given up", async () => {
  let stoodBy = 0;
  const [first, second] = [loopOf("one"), loopOf("two", { standBy: () => void stoodBy++ })];
  first.start();
  await eventually(() => expect(first.loop.leading).toBe(true));
  second.start();
  await eventually(() => expect(stoodBy).toBeGreaterThan(1));
  expect([second.loop.leading, second.rounds()]).toEqual([false, 0]);
  await first.loop.stop();
  await eventually(() => expect(second.rounds()).toBeGreaterThan(0));
  await second.loop.stop();
});

it("tells within a round whether the lease is still its own", async () => {
  const renewed: boolean[] = [];
  const one = loopOf("one", {
    lead: async () => {
      renewed.push(await one.loop.renew());
      await t.db.query("UPDATE lease SET holder = 'other', expires_at = now() + interval '1 hour'");
      renewed.push(await one.loop.renew());
      return 60_000;
    },
  });
  one.start();
  await eventually(() => expect(renewed).toEqual([true, false]));
  expect(one.loop.leading).toBe(false);
  await one.loop.stop();
});
