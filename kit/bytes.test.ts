import { expect, it } from "vitest";
import { joinBytes } from "#kit/bytes.ts";

it.each([
  ["nothing", [], []],
  ["one chunk", [[1, 2]], [1, 2]],
  ["several, one of them empty", [[1], [], [2, 3]], [1, 2, 3]],
])("joins %s", (_, chunks, whole) => {
  const parts = chunks.map((chunk) => Uint8Array.from(chunk));
  expect([...joinBytes(parts)]).toEqual(whole);
  expect([...joinBytes(parts, whole.length)]).toEqual(whole);
});

it("shares no memory with its chunks", () => {
  const chunk = Uint8Array.of(1);
  const whole = joinBytes([chunk]);
  chunk[0] = 2;
  expect([...whole]).toEqual([1]);
});
