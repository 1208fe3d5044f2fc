import fc from "fast-check";
import type { Layout, LayoutInput } from "#web/graph/model.ts";

/** Boxes of 100 × 40 with these edges. */
export function inputOf(boxes: number, pairs: [number, number][]): LayoutInput {
  return {
    widths: new Float32Array(boxes).fill(100),
    heights: new Float32Array(boxes).fill(40),
    edges: Uint32Array.from(pairs.flat()),
  };
}

/** Random boxes of different sizes: cycles, self-loops, the same edge twice, parts without connection. */
export const anyInput: fc.Arbitrary<LayoutInput> = fc.record({
  sizes: fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 90 })), {
    maxLength: 40,
  }),
  pairs: fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 80 }),
}).map(({ sizes, pairs }) => ({
  widths: Float32Array.from(sizes, ([width]) => width),
  heights: Float32Array.from(sizes, ([, height]) => height),
  edges: Uint32Array.from(
    pairs.filter((pair) => pair.every((end) => end < sizes.length)).flat(),
  ),
}));

/** The same with lines that end at a height of its own next to each box, as far below its top as it is high. */
export const anyPorts: fc.Arbitrary<LayoutInput> = fc.tuple(
  anyInput,
  fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 40,
    maxLength: 40,
  }),
).map(([input, boxes]) => {
  const heights = input.widths.map((_, at) => boxes[at]![0]);
  return { ...input, heights, ports: heights.map((height, at) => height * boxes[at]![1]) };
});

export interface Line {
  from: number;
  to: number;
  points: [number, number][];
  reversed: boolean;
}

/** The lines of a layout with the edges that they stand for. */
export function linesOf({ edges }: LayoutInput, layout: Layout): Line[] {
  return Array.from({ length: edges.length >> 1 }, (_, e) => {
    const points: [number, number][] = [];
    for (let at = layout.offsets[e]!; at < layout.offsets[e + 1]!; at++) {
      points.push([layout.points[2 * at]!, layout.points[2 * at + 1]!]);
    }
    const [from, to] = [edges[2 * e]!, edges[2 * e + 1]!];
    return { from, to, points, reversed: layout.reversed[e] === 1 };
  });
}
