import { expect, test } from "vitest";
import { stepOf } from "#web/kit/arrow-keys.ts";

const rows = [
  { depth: 0, open: undefined },
  { depth: 0, open: true },
  { depth: 1, open: false },
  { depth: 1, open: undefined },
  { depth: 0, open: undefined },
];
const step = (key: string, at: number) => stepOf(key, rows, at, 3);

test("up, down, pages and ends walk the rows and stop at them", () => {
  expect([step("ArrowDown", -1), step("ArrowDown", 4), step("ArrowUp", 0)])
    .toEqual([{ to: 0 }, { to: 4 }, { to: 0 }]);
  expect([step("PageDown", 0), step("PageUp", 1), step("End", 0), step("Home", 3)])
    .toEqual([{ to: 3 }, { to: 0 }, { to: 4 }, { to: 0 }]);
});

test("right opens and goes in, left closes and goes out", () => {
  expect([step("ArrowRight", 2), step("ArrowRight", 1), step("ArrowRight", 0)])
    .toEqual([{ toggle: 2 }, { to: 2 }, undefined]);
  expect([step("ArrowLeft", 1), step("ArrowLeft", 3), step("ArrowLeft", 4)])
    .toEqual([{ toggle: 1 }, { to: 1 }, undefined]);
});

test("other keys, and trees without rows, do nothing", () => {
  expect([step("x", 0), stepOf("ArrowDown", [], -1, 3)]).toEqual([undefined, undefined]);
});
