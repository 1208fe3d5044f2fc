import { describe, expect, it } from "vitest";
import { decodePositions, encodePositions } from "#services/trace-gateway/pairing/positions.ts";
import { movedOffset, movedPositions } from "./spans.ts";

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
