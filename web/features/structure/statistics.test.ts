import "#web/messages/testing/english.ts";
import { expect, test } from "vitest";
import { shareText, statisticsOf } from "#web/features/structure/statistics.ts";

test("shares are of the rows of the dataset, or of what was counted for true and false", () => {
  const statistics = statisticsOf({
    string_stats: { max_length: 20, avg_length: 4.25, nulls_count: 3, unique_count: 500 },
  }, 1_000)!;
  expect(statistics.shares.map(shareText)).toEqual(["3 (<1%)", "500 (50%)"]);
  expect(statistics.facts).toEqual([["Longest", "20"], ["Average length", "4.25"]]);
  const both = statisticsOf(
    { boolean_stats: { true_count: 3, false_count: 1, nulls_count: 0 } },
    99,
  )!;
  expect(both.shares.map(shareText)).toEqual(["3 (75%)", "1 (25%)", "0 (0%)"]);
});

test("without rows there are no shares; without statistics nothing is told", () => {
  const statistics = statisticsOf(
    { complex_stats: { nulls_count: 3, unique_count: 9 } },
    undefined,
  )!;
  expect(statistics.shares.map(shareText)).toEqual(["3", "9"]);
  expect([statisticsOf(null, 1), statisticsOf({ boolean_stats: null }, 1)]).toEqual([
    undefined,
    undefined,
  ]);
});
