import "#web/messages/testing/english.ts";
import { describe, expect, it } from "vitest";
import { durationOf, durationsOf, durationText } from "#web/features/quality/runs.ts";

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

describe("durationsOf", () => {
  it("draws the oldest first, in the series of how it ended, and leaves out what still runs", () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 8, minute)).toISOString();
    const ended = (status: "SUCCESS" | "FAILED" | "RUNNING", from: number, to?: number) => ({
      status,
      start_time: at(from),
      end_time: to === undefined ? null : at(to),
    });
    const runs = [ended("RUNNING", 20), ended("FAILED", 10, 12), ended("SUCCESS", 0, 1)];
    expect(durationsOf(runs)).toEqual({
      times: [Date.parse(at(0)), Date.parse(at(10))],
      series: [
        { name: "Succeeded", tone: "good", values: [60_000, null] },
        { name: "Failed or broken", tone: "bad", values: [null, 120_000] },
      ],
    });
    expect(durationsOf([])).toEqual({ times: [], series: [] });
  });
});
