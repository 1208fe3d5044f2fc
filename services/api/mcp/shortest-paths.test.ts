import { expect, it } from "vitest";
import { levels } from "#services/api/mcp/lineage.ts";
import { shortestPaths } from "#services/api/mcp/tools/paths.ts";

const diamond = [[1, 2], [1, 3], [2, 4], [3, 4], [4, 5], [1, 4], [5, 1]] as const;

it("finds the shortest paths first, each without repetitions", () => {
  expect(shortestPaths(diamond, 1, 5, 3)).toEqual([[1, 4, 5], [1, 2, 4, 5], [1, 3, 4, 5]]);
  expect(shortestPaths(diamond, 1, 5, 1)).toEqual([[1, 4, 5]]);
  expect(shortestPaths(diamond, 5, 2, 3)).toEqual([[5, 1, 2]]);
  expect(shortestPaths(diamond, 1, 9, 3)).toEqual([]);
});

it("ends soon where there are very many paths", () => {
  const width = 30;
  const edges = Array.from({ length: 20 }, (_, level) => level * width).flatMap((from) =>
    Array.from(
      { length: width * width },
      (_, at) => [from + Math.floor(at / width), from + width + at % width] as const,
    )
  );
  const found = shortestPaths(edges, 0, 20 * width, 3);
  expect(found.map((path) => path.length)).toEqual([21, 21, 21]);
});

it("levels are distances, with all neighbours that are one nearer", () => {
  const found = levels(diamond, [1], "downstream");
  expect(found.get(4)).toEqual({ distance: 1, via: [1] });
  expect(found.get(5)).toEqual({ distance: 2, via: [4] });
  expect(levels(diamond.slice(0, 4), [4], "upstream").get(1)).toEqual({ distance: 2, via: [2, 3] });
});
