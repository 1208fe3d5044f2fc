import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutOf } from "#web/graph/layout/layout.ts";
import { componentsOf } from "#web/graph/layout/components.ts";
import { layersOf } from "#web/graph/layout/columns.ts";
import type { Layout, LayoutInput } from "#web/graph/model.ts";
import { anyInput, anyPorts, inputOf, linesOf } from "#web/graph/testing/layouts.ts";

/** Coordinates are 32-bit numbers. */
const rounding = 0.02;

const boxesOf = (input: LayoutInput, { x, y }: Layout) =>
  Array.from(input.widths, (width, at) => ({
    left: x[at]!,
    top: y[at]!,
    right: x[at]! + width,
    bottom: y[at]! + input.heights[at]!,
  }));

type Box = ReturnType<typeof boxesOf>[number];

const overlap = (a: Box, b: Box) =>
  a.left < b.right - rounding && b.left < a.right - rounding &&
  a.top < b.bottom - rounding && b.top < a.bottom - rounding;

const touches = ({ left, top, right, bottom }: Box, [x, y]: [number, number]) => {
  const within = x >= left - rounding && x <= right + rounding && y >= top - rounding &&
    y <= bottom + rounding;
  const inside = x > left + rounding && x < right - rounding && y > top + rounding &&
    y < bottom - rounding;
  return within && !inside;
};

/** Boxes lined up by their middles, and opened ones by their heads. */
const anyBoxes = fc.oneof(anyInput, anyPorts);

describe("a layout", () => {
  it("lets no two boxes overlap, and is as large as it says", () => {
    fc.assert(fc.property(anyBoxes, (input) => {
      const layout = layoutOf(input);
      const boxes = boxesOf(input, layout);
      for (const [at, box] of boxes.entries()) {
        expect([box.left, box.top].every((low) => low >= -rounding)).toBe(true);
        expect(box.right).toBeLessThanOrEqual(layout.width + rounding);
        expect(box.bottom).toBeLessThanOrEqual(layout.height + rounding);
        for (const other of boxes.slice(at + 1)) expect(overlap(box, other)).toBe(false);
      }
    }));
  });

  it("draws every edge once, from the edge of its box to that of the other", () => {
    fc.assert(fc.property(anyBoxes, (input) => {
      const layout = layoutOf(input);
      const boxes = boxesOf(input, layout);
      expect(layout.offsets).toHaveLength(input.edges.length / 2 + 1);
      expect(layout.offsets.at(-1)! * 2).toBe(layout.points.length);
      for (const { from, to, points } of linesOf(input, layout)) {
        expect(points.length).toBeGreaterThanOrEqual(2);
        expect(touches(boxes[from]!, points[0]!)).toBe(true);
        expect(touches(boxes[to]!, points.at(-1)!)).toBe(true);
      }
    }));
  });

  it("runs from left to right, but for edges that close a cycle", () => {
    fc.assert(fc.property(anyBoxes, (input) => {
      const layout = layoutOf(input);
      for (const { from, to, points, reversed } of linesOf(input, layout)) {
        const columns = layout.layers[to]! - layout.layers[from]!;
        if (from === to) expect(reversed).toBe(true);
        else if (reversed) expect(columns).toBeLessThan(0);
        else expect(columns).toBeGreaterThan(0);
        if (from === to) continue;
        const xs = points.map(([x]) => (reversed ? -x : x));
        expect(xs).toEqual([...xs].sort((a, b) => a - b));
      }
    }));
  });

  it("leads lines past the boxes of the columns between", () => {
    fc.assert(fc.property(anyBoxes, (input) => {
      const layout = layoutOf(input);
      const boxes = boxesOf(input, layout);
      for (const { from, to, points } of linesOf(input, layout)) {
        if (from === to) continue;
        for (let at = 1; at + 1 < points.length; at += 2) {
          const [[ax, ay], [bx]] = [points[at]!, points[at + 1]!];
          const level = { left: Math.min(ax, bx), right: Math.max(ax, bx), top: ay, bottom: ay };
          for (const box of boxes) expect(overlap(box, level)).toBe(false);
        }
      }
    }));
  });

  it("reverses nothing without a cycle, and one edge of a ring", () => {
    const forward = fc.array(fc.tuple(fc.nat(29), fc.nat(29)).filter(([a, b]) => a < b));
    fc.assert(fc.property(forward, (pairs) => {
      expect([...layoutOf(inputOf(30, pairs)).reversed]).not.toContain(1);
    }));
    const ring = Array.from({ length: 9 }, (_, at): [number, number] => [at, (at + 1) % 9]);
    expect([...layoutOf(inputOf(9, ring)).reversed].filter(Boolean)).toHaveLength(1);
  });

  it("lines boxes up where their lines end, and grows downwards", () => {
    const input = inputOf(2, [[0, 1]]);
    const tall = { ...input, heights: Float32Array.of(40, 400), ports: Float32Array.of(20, 20) };
    const [flat, opened] = [layoutOf(input), layoutOf(tall)];
    expect([...opened.y]).toEqual([...flat.y]);
    expect([...opened.points]).toEqual([...flat.points]);
    expect(opened.height).toBe(400);
  });

  it("is the same for the same input", () => {
    fc.assert(fc.property(anyBoxes, (input) => {
      expect(layoutOf(input)).toEqual(layoutOf(structuredClone(input)));
    }));
  });

  it("of nothing is empty, and of one box is that box", () => {
    expect(layoutOf(inputOf(0, []))).toMatchObject({ width: 0, height: 0 });
    expect(layoutOf(inputOf(1, []))).toMatchObject({ width: 100, height: 40 });
  });

  it("is about as wide as a screen where nothing is connected", () => {
    const { width, height } = layoutOf(inputOf(1_000, []));
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(3);
  });

  it("draws a tree, a ladder and a grid without one line crossing another", () => {
    const tree = Array.from({ length: 30 }, (_, at): [number, number] => [at >> 1, at + 1]);
    const ladder = Array.from({ length: 20 }, (_, at): [number, number][] => [
      [2 * at, 2 * at + 2],
      [2 * at + 1, 2 * at + 3],
      [2 * at, 2 * at + 3],
    ]).flat();
    for (const [boxes, pairs] of [[31, tree], [42, ladder]] as const) {
      const input = inputOf(boxes, [...pairs]);
      const lines = linesOf(input, layoutOf(input)).map(({ points }) => points);
      for (const [at, a] of lines.entries()) {
        for (const b of lines.slice(at + 1)) {
          if (a[0]![0] !== b[0]![0]) continue;
          const order = (a[0]![1] - b[0]![1]) * (a.at(-1)![1] - b.at(-1)![1]);
          expect(order).toBeGreaterThanOrEqual(-rounding);
        }
      }
    }
  });
});

describe("columns", () => {
  it("are tightened: a source lies beside what it feeds", () => {
    const pairs = Uint32Array.from([0, 1, 1, 2, 2, 3, 4, 3]);
    expect([...layersOf(5, pairs)]).toEqual([0, 1, 2, 3, 2]);
  });
});

describe("stability: boxes of one column that were there keep their order", () => {
  it("when one box comes with lines to others", () => {
    const added = fc.array(fc.tuple(fc.nat(40), fc.boolean()), { maxLength: 4 });
    fc.assert(fc.property(anyInput, added, (input, lines) => {
      const old = input.widths.length;
      const y = layoutOf(input).y;
      const more = lines.filter(([end]) => end < old)
        .flatMap(([end, from]) => (from ? [end, old] : [old, end]));
      const next: LayoutInput = {
        widths: Float32Array.from([...input.widths, 50]),
        heights: Float32Array.from([...input.heights, 50]),
        edges: Uint32Array.from([...input.edges, ...more]),
        before: Float32Array.from([...y, Number.NaN]),
      };
      const layout = layoutOf(next);
      const { components } = componentsOf(old + 1, next.edges);
      for (const { boxes } of components) {
        for (const a of boxes) {
          for (const b of boxes) {
            if (a === old || b === old || layout.layers[a] !== layout.layers[b]) continue;
            if (y[a]! < y[b]!) expect(layout.y[a]).toBeLessThan(layout.y[b]!);
          }
        }
      }
    }));
  });

  it("and the same graph again keeps the order of all", () => {
    fc.assert(fc.property(anyInput, (input) => {
      const first = layoutOf(input);
      const repeated = layoutOf({ ...input, before: first.y });
      const order = ({ layers, y }: Layout) =>
        componentsOf(y.length, input.edges).components.map(({ boxes }) =>
          [...boxes].sort((a, b) => layers[a]! - layers[b]! || y[a]! - y[b]!)
        );
      expect(order(repeated)).toEqual(order(first));
    }));
  });
});

describe("size", () => {
  it("lays out 20,000 boxes with 38,000 lines", () => {
    const pairs = Array.from({ length: 38_000 }, (_, at): [number, number] => {
      const to = 200 + (at % 19_800);
      return [Math.max(0, to - 150 - (at * 7_919) % 300), to];
    });
    const layout = layoutOf(inputOf(20_000, pairs.filter(([a, b]) => a !== b)));
    expect(layout.x.every(Number.isFinite)).toBe(true);
    expect(layout.points.every(Number.isFinite)).toBe(true);
  });

  it("manages a chain, a star and a crowd of 50,000", () => {
    const each = (pair: (at: number) => [number, number]) =>
      Array.from({ length: 49_999 }, (_, at) => pair(at));
    for (const pairs of [each((at) => [at, at + 1]), each((at) => [0, at + 1]), []]) {
      const layout = layoutOf(inputOf(50_000, pairs));
      expect(layout.y.every(Number.isFinite)).toBe(true);
    }
  });

  it("bounds the points of lines that would pass thousands of columns", () => {
    const pairs = Array.from({ length: 2_999 }, (_, at): [number, number][] => [
      [at, at + 1],
      [0, at + 1],
      [at, 2_999],
    ]).flat();
    const layout = layoutOf(inputOf(3_000, pairs.filter(([a, b]) => a !== b)));
    expect(layout.points.length / 2).toBeLessThan(200_000);
  });
});
