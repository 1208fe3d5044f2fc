import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutInputOf } from "#web/graph/layout-client.ts";
import { layoutOf } from "#web/graph/layout/layout.ts";
import type { Model } from "#web/graph/model.ts";
import { anchored, between, movesOf, type PlacedView, ranksOf } from "#web/graph/stable.ts";
import { anyModel, modelOf, node, viewWithGroups as viewOf } from "#web/graph/testing/models.ts";

function place(model: Model, unfolded: string[] = [], old: PlacedView | null = null) {
  const view = viewOf(model, { unfolded: new Set(unfolded) });
  const input = layoutInputOf(view, () => ({ width: 100, height: 40 }), ranksOf(view, old));
  return { view, input, layout: layoutOf(input) };
}

const family = modelOf(
  [node(1), ...Array.from({ length: 20 }, (_, at) => node(at + 10, { groups: [9] }))],
  Array.from({ length: 20 }, (_, at): [number, number] => [1, at + 10]),
);

describe("a new layout", () => {
  it("leaves the anchor where it was, and moves all else with it", () => {
    fc.assert(fc.property(anyModel, (model) => {
      const old = place(model);
      if (old.view.nodes.length === 0) return;
      const next = place(model, ["fg101", "fg102"], old);
      const key = old.view.nodes[0]!.key;
      const moved = anchored(old, next, key);
      const [was, is] = [old, next].map(({ view }) => view.nodes.findIndex((n) => n.key === key));
      if (is! < 0) return void expect(moved).toBe(next.layout);
      expect(moved.x[is!]).toBeCloseTo(old.layout.x[was!]!, 1);
      expect(moved.y[is!]).toBeCloseTo(old.layout.y[was!]!, 1);
      const [dx, dy] = [moved.x[is!]! - next.layout.x[is!]!, moved.y[is!]! - next.layout.y[is!]!];
      for (const [at, value] of next.layout.points.entries()) {
        expect(moved.points[at]).toBeCloseTo(value + (at % 2 === 0 ? dx : dy), 1);
      }
    }));
  });

  it("is itself without an old one", () => {
    const next = place(family);
    expect(anchored(null, next, "e1")).toBe(next.layout);
    expect([...ranksOf(next.view, null)].every(Number.isNaN)).toBe(true);
    expect([...movesOf(null, next).x]).toEqual([...next.layout.x]);
  });
});

describe("the way from the old places", () => {
  it("begins for members at their fold, and for a fold at a member", () => {
    const folded = place(family);
    const fold = folded.view.nodes[1]!.key;
    const open = place(family, [fold], folded);
    const out = movesOf(folded, open);
    expect(new Set(out.y.slice(1))).toEqual(new Set([folded.layout.y[1]!]));
    expect([...movesOf(open, folded).y]).toEqual([open.layout.y[0], open.layout.y[1]]);
  });

  it("starts at the old places, ends at the new ones, and lines stay at their boxes", () => {
    const folded = place(family);
    const open = place(family, [folded.view.nodes[1]!.key], folded);
    const moves = movesOf(folded, open);
    const start = between(open.layout, moves, open.input.edges, 0);
    expect([...start.y]).toEqual([...moves.y]);
    expect(between(open.layout, moves, open.input.edges, 1)).toBe(open.layout);
    const half = between(open.layout, moves, open.input.edges, 0.5);
    for (let e = 0; e < open.view.edges.length; e++) {
      const [first, last] = [half.offsets[e]!, half.offsets[e + 1]! - 1];
      const [from, to] = [open.input.edges[2 * e]!, open.input.edges[2 * e + 1]!];
      expect(half.points[2 * first + 1]).toBeCloseTo(half.y[from]! + 20, 1);
      expect(half.points[2 * last]).toBeCloseTo(half.x[to]!, 1);
    }
  });
});
