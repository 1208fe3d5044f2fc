import { describe, expect, it } from "vitest";
import { colourOf, slaOf, type SlaResults } from "#services/api/features/quality/service.ts";

/** Of each severity, succeeded and failed tests. */
type Row = [minor: [number, number], major: [number, number], critical: [number, number]];

function testsOf([minor, major, critical]: Row): SlaResults {
  const resultOf = ([success, failed]: [number, number]) => ({ total: success + failed, success });
  return { MINOR: resultOf(minor), MAJOR: resultOf(major), CRITICAL: resultOf(critical) };
}
const none: [number, number] = [0, 0];

describe("colourOf", () => {
  it.each<[string, string, Row]>([
    ["YELLOW", "no test at all", [none, none, none]],
    ["GREEN", "all succeed", [[3, 0], [3, 0], [2, 0]]],
    ["GREEN", "some minor ones fail", [[1, 2], [3, 0], [2, 0]]],
    ["GREEN", "a single one succeeds", [[1, 0], none, none]],
    ["YELLOW", "all minor ones fail, no others are there", [[0, 1], none, none]],
    ["YELLOW", "all minor ones fail, several major ones succeed", [[0, 3], [3, 0], [2, 0]]],
    ["YELLOW", "a major one fails, none minor is there", [none, [2, 1], [2, 0]]],
    ["YELLOW", "a major one fails, minor ones succeed", [[3, 0], [2, 1], none]],
    ["YELLOW", "all major ones but one fail, none minor is there", [none, [1, 2], none]],
    ["YELLOW", "all major ones but one fail, a minor one succeeds", [[1, 2], [1, 2], none]],
    ["YELLOW", "all major ones but two fail, all minor ones too", [[0, 2], [2, 2], none]],
    ["RED", "all major ones but one fail, all minor ones too", [[0, 3], [1, 2], [2, 0]]],
    ["RED", "the only major one succeeds, all minor ones fail", [[0, 3], [1, 0], none]],
    ["RED", "all major ones fail", [[3, 0], [0, 1], [2, 0]]],
    ["RED", "one critical one fails", [[3, 0], [3, 0], [1, 1]]],
    ["RED", "a critical one fails, no others are there", [none, none, [5, 1]]],
  ])("%s: %s", (colour, _, row) => {
    expect(colourOf(testsOf(row))).toBe(colour);
  });
});

describe("slaOf", () => {
  it.each<[Row, total: number, success: number, weights: number[]]>([
    [[none, none, none], 0, 0, [0, 0, 0]],
    [[[2, 1], [2, 1], [3, 0]], 39, 35, [3, 9, 27]],
    [[[2, 1], [3, 1], none], 15, 11, [3, 12, 0]],
    [[[2, 1], none, [3, 1]], 15, 11, [3, 0, 12]],
    [[none, [2, 1], [3, 1]], 15, 11, [0, 3, 12]],
    [[[2, 1], none, none], 3, 2, [3, 0, 0]],
    [[none, none, [2, 1]], 3, 2, [0, 0, 3]],
  ])("weighs %j: %i in all, %i of success", (row, total, success, weights) => {
    const sla = slaOf(testsOf(row));
    expect([sla.total, sla.success, Object.values(sla.weights)]).toEqual([
      total,
      success,
      weights,
    ]);
  });
});
