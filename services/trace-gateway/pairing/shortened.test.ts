import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EventLog, LogRecord } from "#eventlog/port.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import { referenceTotals } from "#test/support/traces/trace-reference.ts";
import { Traffic } from "#test/support/traces/trace-traffic.ts";
import { unpack } from "../facts/index.ts";
import { findCheckpoint } from "./store.ts";
import { counterOn, delivered, logOf, memoryLog, storedTotals } from "./testing/harness.ts";

const windowMs = 30_000;
const options = { windowMs, maxWaiting: 100_000 };

let t: TestDatabase;
beforeAll(async () => void (t = await testDatabase()));
afterAll(() => t.drop());
beforeEach(() => t.db.query("TRUNCATE service_edge, service_edge_window, span_checkpoint"));

/** Records of whole traces, each in one record, and a tick at the end. */
function recordsOf(seed: number, traces: number): LogRecord[] {
  const source = new Traffic(seeded(seed));
  const arrivals = Array.from(
    { length: traces },
    (_, at) => source.trace().map((span) => ({ at, span })),
  ).flat();
  return logOf(arrivals, { together: true, windowMs }).records;
}

/** What a log holds that lost its last records and got others after that. */
function shortened(records: LogRecord[], lost: number, others: LogRecord[]): LogRecord[] {
  const remaining = records.slice(0, -lost);
  const last = records.at(-1)!;
  return [
    ...remaining,
    ...others.map((record, at) => ({
      ...record,
      offset: remaining.at(-1)!.offset + 1 + at,
      timestamp: last.timestamp + 1 + record.timestamp - others[0]!.timestamp,
    })),
  ];
}

describe("PartitionCounter, when its log lost records that were counted", () => {
  it.each([
    ["a worker that begins anew", true],
    ["one that was at work meanwhile", false],
  ])("%s counts what came after them, and nothing again", async (_, isNewLog) => {
    const records = recordsOf(1, 120);
    const others = recordsOf(2, 10);
    let log = memoryLog(records);
    const events = {
      read: (...args: Parameters<EventLog["read"]>) => log.read(...args),
      bounds: (topic: string) => log.bounds(topic),
    } as EventLog;
    const counter = () => counterOn(t.db, records, options, { events });
    const first = counter();
    await first.handle(records, delivered);
    const now = shortened(records, 30, others);
    log = memoryLog(now);
    // The log resets a group whose offset it does not have to its beginning.
    await (isNewLog ? counter() : first).handle(now, delivered);
    const facts = [...records, ...others].flatMap((record) => unpack(record));
    expect((await findCheckpoint(t.db, 0))!.accounts.read).toBe(facts.length);
    expect(await storedTotals(t.db)).toEqual(referenceTotals(facts));
  });

  it("does not take a log that does not tell where it ends for a new one", async () => {
    const records = recordsOf(3, 50);
    await counterOn(t.db, records, options).handle(records, delivered);
    const before = await findCheckpoint(t.db, 0);
    const events = { ...memoryLog(records), bounds: () => Promise.resolve([]) } as EventLog;
    const counter = counterOn(t.db, records, options, { events });
    await expect(counter.handle(records, delivered)).rejects.toThrow("partition 0");
    expect(await findCheckpoint(t.db, 0)).toEqual(before);
  });
});
