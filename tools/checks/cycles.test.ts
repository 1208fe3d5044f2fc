import { expect, it } from "vitest";
import { cycles, type Edge } from "./cycles.ts";

const edges = (...pairs: string[]): Edge[] =>
  pairs.map((pair) => {
    const [from, to] = pair.split(" -> ");
    return { from: from!, to: to! };
  });
const itself = (file: string) => file;

it("names each circle once, and nothing that only leads to one", () => {
  expect(cycles(
    edges("a -> b", "b -> c", "c -> b", "c -> d", "x -> y", "y -> z", "z -> x", "d -> e"),
    itself,
  )).toEqual([["b", "c"], ["x", "y", "z"]]);
});

it("finds none in a diamond", () => {
  expect(cycles(edges("a -> b", "a -> c", "b -> d", "c -> d"), itself)).toEqual([]);
});

it("counts by the name given, not within it, and leaves out what has none", () => {
  const family = (file: string) => file.includes("/") ? file.split("/")[0]! : null;
  expect(cycles(edges("a/1 -> a/2", "a/2 -> a/1", "a/1 -> b/1", "b/2 -> a/2", "c -> a/1"), family))
    .toEqual([["a", "b"]]);
});

it("does not grow its stack with the length of a chain", () => {
  const chain = Array.from({ length: 50_000 }, (_, i) => ({ from: `${i}`, to: `${i + 1}` }));
  expect(cycles([...chain, { from: "50000", to: "0" }], itself)[0]).toHaveLength(50_001);
});
