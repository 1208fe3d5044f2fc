import { describe, expect, it } from "vitest";
import { groupedView, type Membership } from "#services/api/features/lineage/answer.ts";
import { connectedComponents, stillReached } from "#services/api/features/lineage/reach.ts";

/** A membership from `{member: [groups]}`; every id that is named as a group counts as one. */
function membership(groupsOf: Record<number, number[]>): Membership {
  const groups = new Set(Object.values(groupsOf).flat());
  return { groupsOf: (id) => groupsOf[id] ?? [], isGroup: (id) => groups.has(id) };
}

describe("groupedView", () => {
  it("draws a member as its outermost closed group and keeps one edge between two groups", () => {
    const nested = membership({ 1: [10], 2: [10], 10: [20], 3: [30] });
    const view = groupedView([[1, 3], [2, 3], [1, 2]], nested, new Set());
    expect(view.edges).toEqual([[20, 30]]);
    expect([...view.collapsed]).toEqual([20, 30]);
  });
  it("opens one level at a time", () => {
    const nested = membership({ 1: [10], 2: [10], 10: [20], 3: [30] });
    expect(groupedView([[1, 2]], nested, new Set([20])).edges).toEqual([]);
    expect(groupedView([[1, 2], [1, 3]], nested, new Set([10, 20])).edges).toEqual([[1, 2], [
      1,
      30,
    ]]);
  });
  it("takes the group with the smallest id as the home of a member of several", () => {
    expect(groupedView([[1, 2]], membership({ 1: [12, 11] }), new Set()).edges).toEqual([[11, 2]]);
  });
  it("cuts a loop of groups at its smallest id", () => {
    const loop = membership({ 1: [11], 11: [10], 10: [11], 12: [12], 2: [12] });
    expect(groupedView([[1, 2]], loop, new Set()).edges).toEqual([[10, 12]]);
  });
  it("keeps the self-loop of an entity and drops that of a collapsed group", () => {
    const one = membership({ 1: [10] });
    expect(groupedView([[5, 5], [1, 1], [10, 1]], one, new Set()).edges).toEqual([[5, 5]]);
  });
  it("draws an open group that has edges of its own as itself, with counts", () => {
    const view = groupedView([[10, 2]], membership({ 1: [10] }), new Set([10]));
    expect([[...view.nodes], [...view.collapsed]]).toEqual([[10, 2], []]);
  });
});

describe("stillReached", () => {
  const edges = [[1, 2], [2, 3], [1, 4], [4, 5], [5, 4]] as [number, number][];
  const ends = new Set([1, 2, 3, 4, 5]);

  it("drops what is reached only through an invisible entity", () => {
    const down = { ends, roots: [1], direction: "downstream" } as const;
    const retained = stillReached(edges, { ...down, visible: new Set([1, 3, 4, 5]) });
    expect(retained).toEqual([[1, 4], [4, 5], [5, 4]]);
    const up = { ends, roots: [5], direction: "upstream" } as const;
    expect(stillReached(edges, { ...up, visible: new Set([2, 3, 4, 5]) })).toEqual([[4, 5], [
      5,
      4,
    ]]);
  });

  it("returns the same list when all are visible, also with further ends that are not", () => {
    const reach = { roots: [1], direction: "downstream", visible: ends } as const;
    expect(stillReached(edges, { ...reach, ends })).toBe(edges);
    expect(stillReached(edges, { ...reach, ends: new Set([...ends, 6]) })).toBe(edges);
  });
});

describe("connectedParts", () => {
  it("gives isolated members parts of their own, ordered by smallest id", () => {
    const components = connectedComponents([4, 3, 2, 1, 5], [[3, 1], [4, 5]]);
    expect(components.map((p) => p.members)).toEqual([[1, 3], [2], [4, 5]]);
    expect(components.map((p) => p.edges.length)).toEqual([1, 0, 1]);
  });
});
