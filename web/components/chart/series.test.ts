import { expect, it } from "vitest";
import { drawnValues, momentText, tickText } from "#web/components/chart/series.ts";

const series = [
  { name: "Failed", values: [1, null, 0], tone: "bad" as const },
  { name: "Succeeded", values: [2, 3, null], tone: "good" as const },
];

it("stacked series are drawn up to the sum of those below them", () => {
  expect(drawnValues(series, true)).toEqual([[1, 0, 0], [3, 3, 0]]);
  expect(drawnValues(series, false)).toEqual([[1, null, 0], [2, 3, null]]);
});

it("the axis has hours for a day and dates for more, the table days without a time", () => {
  const hours = [0, 1, 2].map((hour) => Date.UTC(2026, 2, 1, hour));
  const days = [1, 2, 3].map((day) => Date.UTC(2026, 2, day));
  expect(tickText(hours, 1)).toMatch(/:00/);
  expect(tickText(days, 1)).not.toMatch(/:/);
  expect(momentText(hours, 1)).toMatch(/:00/);
  expect(momentText(days, 1)).not.toMatch(/:/);
  expect(tickText(days, 9)).toBe("");
});
