import { expect, it } from "vitest";
import { Memo } from "./memo.ts";

/** A memo, and the texts of which something was made. */
function memo(limits: { maxCharacters: number; longest: number }) {
  const made: string[] = [];
  const cache = new Memo<number>(limits);
  const lengthOf = (text: string) => cache.get(text, () => made.push(text) && text.length);
  return { cache, made, lengthOf };
}

it("makes what it knows no second time", () => {
  const { cache, made, lengthOf } = memo({ maxCharacters: 100, longest: 10 });
  expect(["ab", "abc", "ab"].map(lengthOf)).toEqual([2, 3, 2]);
  expect(made).toEqual(["ab", "abc"]);
  expect(cache.size).toBe(2);
});

it("forgets the oldest beyond its limit", () => {
  const { cache, made, lengthOf } = memo({ maxCharacters: 6, longest: 6 });
  ["aaa", "bbb", "cccc", "cccc"].forEach(lengthOf);
  expect(cache.size).toBe(1);
  expect(made).toEqual(["aaa", "bbb", "cccc"]);
  expect(lengthOf("bbb")).toBe(3);
  expect(made.at(-1)).toBe("bbb");
});

it("does not keep what was made of a long text", () => {
  const { cache, made, lengthOf } = memo({ maxCharacters: 100, longest: 2 });
  ["abc", "abc"].forEach(lengthOf);
  expect(made).toEqual(["abc", "abc"]);
  expect(cache.size).toBe(0);
});
