import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LogRecord } from "#eventlog/port.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import type { Arrival } from "#test/support/traces/trace-cases.ts";
import { referenceTotals } from "#test/support/traces/trace-reference.ts";
import { Traffic } from "#test/support/traces/trace-traffic.ts";
import { factsOf } from "../facts/index.ts";
import type { PairingOptions } from "./pairing.ts";
import { findCheckpoint, StaleEpochError } from "./store.ts";
import { counterOn, delivered, logOf, storedTotals } from "./testing/harness.ts";

const windowMs = 30_000;
const maxWaiting = 100_000;

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());
beforeEach(() => t.db.query("TRUNCATE service_edge, service_edge_window, span_checkpoint"));

/** Ten minutes of traffic; spans of a trace arrive within twenty seconds, some of them twice. */
function traffic(random: () => number, traces: number): Arrival[] {
  const source = new Traffic(random);
  const arrivals: Arrival[] = [];
  for (let i = 0; i < traces; i++) {
    const at = Math.floor(i / traces * 600);
    for (const span of source.trace()) {
      const late = at + Math.floor(random() * 15);
      arrivals.push({ at: late, span });
      if (random() < 0.1) arrivals.push({ at: late + Math.floor(random() * 5), span });
    }
  }
  return arrivals.sort((a, b) => a.at - b.at);
}

describe("PartitionCounter", () => {
  it.each([1, 2, 3])("counts every span once over crashes at any point (seed %i)", async (seed) => {
    const random = seeded(seed);
    const arrivals = traffic(random, 300);
    const { records } = logOf(arrivals, { together: true, windowMs, gaps: seed === 1 });
    const crashes = await survive(records, random);
    expect(crashes).toBeGreaterThan(10);
    const facts = factsOf(arrivals.map(({ span }) => span)).facts;
    expect(await storedTotals(t.db)).toEqual(referenceTotals(facts));
    const accounts = (await findCheckpoint(t.db, 0))!.accounts;
    expect(accounts.read).toBe(facts.length);
    expect(accounts.waiting).toBe(0);
    expect(accounts.duplicate).toBe(
      facts.length - new Set(facts.map((f) => f.kind + f.traceId + f.spanId)).size,
    );
  });

  it.each([1, 2, 3, 4])(
    "counts as one that never crashed does, though most halves come late (seed %i)",
    async (seed) => {
      const random = seeded(100 + seed);
      const short = { windowMs: 4_000, maxWaiting: 100_000 };
      const { records } = logOf(traffic(random, 300), { together: true, windowMs: 4_000 });
      await counterOn(t.db, records, short).handle(records, delivered);
      const steady = [await storedTotals(t.db), (await findCheckpoint(t.db, 0))!.accounts];
      expect((await findCheckpoint(t.db, 0))!.accounts.expired).toBeGreaterThan(300);
      await t.db.query("TRUNCATE service_edge, service_edge_window, span_checkpoint");
      await survive(records, random, short);
      expect([await storedTotals(t.db), (await findCheckpoint(t.db, 0))!.accounts]).toEqual(steady);
    },
  );

  it("leaves no mark of what it had not committed", async () => {
    const { records } = logOf(traffic(seeded(9), 40), { together: true, windowMs });
    const half = records.slice(0, records.length / 2);
    await counterOn(t.db, records, { windowMs, maxWaiting }).handle(half, delivered);
    const [edges, checkpoint] = [await storedTotals(t.db), await findCheckpoint(t.db, 0)];
    const failing = counterOn(failingAfter(0), records, { windowMs, maxWaiting });
    await expect(failing.handle(records, delivered)).rejects.toThrow("cut off");
    expect(await storedTotals(t.db)).toEqual(edges);
    expect(await findCheckpoint(t.db, 0)).toEqual(checkpoint);
  });

  it("is fenced by another that took the partition over, and goes on from where that one is", async () => {
    const arrivals = traffic(seeded(5), 60);
    const { records } = logOf(arrivals, { together: true, windowMs });
    const [a, b] = [0, 1].map(() => counterOn(t.db, records, { windowMs, maxWaiting }));
    const third = Math.floor(records.length / 3);
    await a!.handle(records.slice(0, third), delivered);
    await b!.handle(records.slice(0, 2 * third), delivered);
    await expect(a!.handle(records.slice(third, 2 * third), delivered)).rejects.toThrow(
      StaleEpochError,
    );
    await a!.handle(records.slice(third), delivered);
    await expect(b!.handle(records.slice(2 * third), delivered)).rejects.toThrow(StaleEpochError);
    const facts = factsOf(arrivals.map(({ span }) => span)).facts;
    expect(await storedTotals(t.db)).toEqual(referenceTotals(facts));
  });

  it("reads by itself what its group passed without counting", async () => {
    const arrivals = traffic(seeded(6), 60);
    const { records } = logOf(arrivals, { together: true, windowMs });
    const some = Math.floor(records.length / 4);
    await counterOn(t.db, records, { windowMs, maxWaiting })
      .handle(records.slice(0, some), delivered);
    await counterOn(t.db, records, { windowMs, maxWaiting }, { maxRows: 20 })
      .handle(records.slice(3 * some), delivered);
    const facts = factsOf(arrivals.map(({ span }) => span)).facts;
    expect(await storedTotals(t.db)).toEqual(referenceTotals(facts));
  });

  it("counts what waited in a log that is gone as expired, and the new log from its start", async () => {
    const { records } = logOf(traffic(seeded(7), 600), { together: true, windowMs });
    await counterOn(t.db, records, { windowMs, maxWaiting })
      .handle(records.slice(0, -1), delivered);
    const before = (await findCheckpoint(t.db, 0))!.accounts;
    expect(before.waiting).toBeGreaterThan(0);
    const later = records.at(-1)!.timestamp - records[0]!.timestamp;
    const another = logOf(traffic(seeded(8), 5), { together: true, windowMs }).records
      .map((record) => ({ ...record, timestamp: record.timestamp + later }));
    await counterOn(t.db, another, { windowMs, maxWaiting }).handle(another, delivered);
    const after = (await findCheckpoint(t.db, 0))!;
    expect(after.nextOffset).toBe(another.at(-1)!.offset + 1);
    expect(after.accounts.waiting).toBe(0);
    expect(after.accounts.read).toBeGreaterThan(before.read);
  });
});

/** Counts all records while every other delivery ends before, in or after its commit. */
async function survive(
  records: LogRecord[],
  random: () => number,
  pairing: PairingOptions = { windowMs, maxWaiting },
): Promise<number> {
  let crashes = 0;
  let counter = counterOn(t.db, records, pairing, { maxRows: 40 });
  // What the group has marked as done may lag behind what was counted.
  for (let done = 0; done < records.length;) {
    const size = 1 + Math.floor(random() * 40);
    const batch = records.slice(done, done + size);
    if (random() < 0.5) {
      crashes++;
      const db = failingAfter(Math.floor(random() * 4));
      const dying = counterOn(db, records, pairing, { maxRows: 40 });
      await dying.handle(batch, delivered).catch(() => {});
      if (random() < 0.5) done += Math.floor(random() * size);
      continue;
    }
    if (random() < 0.3) {
      counter = counterOn(t.db, records, pairing, { maxRows: 40 });
    }
    const ok = await counter.handle(batch, delivered).then(() => true, () => false);
    if (ok) done += batch.length;
  }
  await counterOn(t.db, records, pairing).handle(records, delivered);
  return crashes;
}

/** The database, but after so many transactions the next one is cut off before its end. */
function failingAfter(transactions: number): TestDatabase["db"] {
  let left = transactions;
  return new Proxy(t.db, {
    get(db, name) {
      if (name === "transaction") {
        return (work: Parameters<typeof db.transaction>[0]) => {
          if (left-- > 0) return db.transaction(work);
          return db.transaction(async (tx) => {
            await work(tx);
            throw new Error("cut off");
          });
        };
      }
      const value = Reflect.get(db, name, db);
      return typeof value === "function" ? value.bind(db) : value;
    },
  });
}
