import { expect, it } from "vitest";
import { widthsOf } from "#web/features/quality/share-widths.ts";

it("gives one failure of thousands a width that is seen", () => {
  const widths = widthsOf([["bad", 1], ["warn", 0], ["good", 2_293]]);
  expect(widths).toEqual([["bad", 2.5], ["good", 97.5]]);
});

it("keeps the proportions where every part is wide enough", () => {
  expect(widthsOf([["bad", 1], ["good", 3]])).toEqual([["bad", 25], ["good", 75]]);
});

it("fills the bar, whatever the parts", () => {
  const widths = widthsOf([["bad", 1], ["warn", 2], ["neutral", 3], ["good", 50_000]]);
  expect(widths.map(([, width]) => width).reduce((sum, one) => sum + one, 0)).toBeCloseTo(100);
  expect(widthsOf([["bad", 0], ["good", 0]])).toEqual([]);
});
