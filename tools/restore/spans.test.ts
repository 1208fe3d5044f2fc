import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tracesSpans } from "#contract/topics.ts";
import { findCheckpoint } from "#services/trace-gateway/pairing/store.ts";
import {
  counterOn,
  delivered,
  logOf,
  storedTotals,
} from "#services/trace-gateway/pairing/testing/harness.ts";
import { decodePositions, encodePositions } from "#services/trace-gateway/pairing/positions.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { seeded } from "#test/support/random.ts";
import { Traffic } from "#test/support/traces/trace-traffic.ts";
import { moveCheckpoints, movedOffset, movedPositions } from "./spans.ts";

const offsets = { before: [40, 41, 44], after: [3, 4, 5], end: 6 };

describe("offsets of a restored log", () => {
  it("are where the same record is, or the next one that the backup holds", () => {
    expect([39, 40, 41, 42, 44].map((offset) => movedOffset(offset, offsets)))
      .toEqual([3, 3, 4, 5, 5]);
  });

  it("are the end of the partition after the last record, and where there is none", () => {
    expect(movedOffset(45, offsets)).toBe(6);
    expect(movedOffset(45, { before: [], after: [], end: 0 })).toBe(0);
  });
});

describe("facts that wait for their other half", () => {
  it("wait at the new places of their records", () => {
    const places = [{ offset: 40, index: 2 }, { offset: 40, index: 5 }, { offset: 44, index: 0 }];
    const { positions, lost } = movedPositions(encodePositions(places), offsets);
    expect(lost).toBe(0);
    expect([...decodePositions(positions)]).toEqual([
      [3, new Set([2, 5])],
      [5, new Set([0])],
    ]);
  });

  it("are counted as lost when the log no longer had their records", () => {
    const places = [{ offset: 12, index: 0 }, { offset: 12, index: 1 }, { offset: 41, index: 0 }];
    const { positions, lost } = movedPositions(encodePositions(places), offsets);
    expect(lost).toBe(2);
    expect([...decodePositions(positions).keys()]).toEqual([4]);
  });
});

describe("spans of a restored log", () => {
  let t: TestDatabase;
  beforeAll(async () => void (t = await testDatabase()));
  afterAll(() => t.drop());

  it("are counted once, those that waited for their other half included", async () => {
    const traffic = new Traffic(seeded(7));
    const arrivals = Array.from(
      { length: 20 },
      (_, at) => traffic.trace().map((span) => ({ at, span })),
    )
      .flat();
    const options = { windowMs: 60_000, maxWaiting: 100_000 };
    const { records } = logOf(arrivals, { together: false, windowMs: 60_000, gaps: true });
    await counterOn(t.db, records, options).handle(records, delivered);
    const expected = await storedTotals(t.db);
    await t.db.query("TRUNCATE service_edge, service_edge_window, span_checkpoint");
    // The backup is made when half is counted; the log takes its records again an hour later.
    const half = records.slice(0, Math.floor(records.length / 2));
    await counterOn(t.db, records, options).handle(half, delivered);
    const { replay } = (await findCheckpoint(t.db, 0))!;
    const copied = records.filter(({ offset }) => offset >= replay.offset);
    const restored = copied.map((record, at) => ({
      ...record,
      offset: 100 + at,
      timestamp: record.timestamp + 3_600_000,
    }));
    const [before, after] = [copied, restored].map((some) => some.map(({ offset }) => offset));
    const partition = { before: before!, after: after!, end: 100 + restored.length };
    await moveCheckpoints(t.db, new Map([[tracesSpans, new Map([[0, partition]])]]));
    await counterOn(t.db, restored, options).handle(restored, delivered);
    expect(await storedTotals(t.db)).toEqual(expected);
    expect(Object.keys(expected).length).toBeGreaterThan(3);
  });
});
