import { expect, it } from "vitest";
import { Memo } from "./memo.ts";

/** A memo, and the texts of which something was made. */
function memo(limits: { maxCharacters: number; longest: number }) {
  const made: string[] = [];
  const kept = new Memo<number>(limits);
  const lengthOf = (text: string) => kept.get(text, () => made.push(text) && text.length);
  return { kept, made, lengthOf };
}

it("makes what it knows no second time", () => {
  const { kept, made, lengthOf } = memo({ maxCharacters: 100, longest: 10 });
  expect(["ab", "abc", "ab"].map(lengthOf)).toEqual([2, 3, 2]);
  expect(made).toEqual(["ab", "abc"]);
  expect(kept.size).toBe(2);
});

it("forgets the oldest beyond its limit", () => {
  const { kept, made, lengthOf } = memo({ maxCharacters: 6, longest: 6 });
  ["aaa", "bbb", "cccc", "cccc"].forEach(lengthOf);
  expect(kept.size).toBe(1);
  expect(made).toEqual(["aaa", "bbb", "cccc"]);
  expect(lengthOf("bbb")).toBe(3);
  expect(made.at(-1)).toBe("bbb");
});

it("does not keep what was made of a long text", () => {
  const { kept, made, lengthOf } = memo({ maxCharacters: 100, longest: 2 });
  ["abc", "abc"].forEach(lengthOf);
  expect(made).toEqual(["abc", "abc"]);
  expect(kept.size).toBe(0);
});
