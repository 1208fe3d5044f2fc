import { expect, it } from "vitest";
import { uuidv7 } from "#kit/ids.ts";

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it.each([0, 1, 1_700_000_000_123, 2 ** 48 - 1])("holds the time %i in its first 48 bits", (now) => {
  const id = uuidv7(now);
  expect(id).toMatch(form);
  expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(now);
});

it("sorts by time, and never repeats within a millisecond", () => {
  const ids = Array.from({ length: 1_000 }, (_, at) => uuidv7(1_700_000_000_000 + at * 3));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1_000 }, () => uuidv7(5)))).toHaveProperty("size", 1_000);
});
