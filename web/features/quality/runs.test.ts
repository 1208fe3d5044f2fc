import { describe, expect, it } from "vitest";
import { durationOf, durationText, heightsOf } from "#web/features/quality/runs.ts";

const run = (seconds: number | null) => ({
  start_time: "2026-01-01T00:00:00Z",
  end_time: seconds === null
    ? null
    : new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString(),
});

describe("durationOf", () => {
  it("is what lies between start and end, and nothing else", () => {
    expect(durationOf(run(90))).toBe(90_000);
    expect(durationOf(run(null))).toBeUndefined();
    expect(durationOf(run(-1))).toBeUndefined();
    expect(durationOf({ start_time: null, end_time: "2026-01-01T00:00:00Z" })).toBeUndefined();
  });
});

describe("durationText", () => {
  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_000, "1 s"],
    [125_000, "2 min 5 s"],
    [3_600_000, "1 h"],
    [90_000_000, "1 d 1 h"],
  ])("%i ms", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe("heightsOf", () => {
  it("the longest is full, none is invisible", () => {
    expect(heightsOf([run(100), run(50), run(null)])).toEqual([1, 0.5, 0.06]);
    expect(heightsOf([])).toEqual([]);
    expect(heightsOf([run(0)])).toEqual([1]);
  });
});
