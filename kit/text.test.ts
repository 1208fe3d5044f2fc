import { expect, it } from "vitest";
import { bounded } from "#kit/text.ts";

it.each([
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["", 1, ""],
  ["a\0b\0", 9, "a b "],
  ["a\ud800b", 9, "a\ufffdb"],
  ["ab😀", 4, "ab😀"],
  ["abc😀", 4, "abc…"],
  ["ab😀c", 4, "ab\ufffd…"],
])("%j within %i is %j", (text, max, expected) => {
  const made = bounded(text, max);
  expect(made).toBe(expected);
  expect(made.length).toBeLessThanOrEqual(max);
  expect(made.isWellFormed()).toBe(true);
});
