import "#web/messages/testing/english.ts";
import { describe, expect, it } from "vitest";
import { gapsOf, notTracedText, type SqlGap } from "#web/components/sql-gaps.ts";

const gap = (column?: string): SqlGap => ({
  establisher_id: 1,
  dataset_id: 2,
  reason: column === undefined ? "star" : "column",
  ...(column === undefined ? {} : { column }),
});
const output = (columns: number, partly_traced: number, not_traced: number) => ({
  dataset_id: 2,
  columns,
  partly_traced,
  not_traced,
});

describe("notTracedText", () => {
  it.each([
    [[output(12, 0, 3)], ["a", "b", "c"], "3 of 12 columns not traced"],
    [[output(1, 0, 1)], ["a"], "1 of 1 column not traced"],
    [[output(4, 1, 0)], ["a"], "1 of 4 columns traced in part"],
    [
      [output(4, 0, 1), output(6, 1, 2)],
      ["a", "b", "c", "d"],
      "3 of 10 columns not traced; 1 of 10 columns traced in part",
    ],
    [[output(4, 0, 1)], ["a", undefined], "1 of 4 columns not traced; 1 other part not traced"],
    [[], [undefined, undefined], "2 other parts not traced"],
  ])("counts columns, and apart what names none: %j", (outputs, columns, expected) => {
    expect(notTracedText(outputs, columns.map(gap))).toBe(expected);
  });
});

it("gapsOf: of a column in any case, with those that may be about any", () => {
  expect(gapsOf([gap("A"), gap("b"), gap()], "a")).toEqual([gap("A"), gap()]);
});
