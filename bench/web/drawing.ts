import type { Layout } from "#web/graph/model.ts";

/** A layout of any engine, as far as it is compared: the points of each line, x, y, x, y … */
export interface LayoutDrawing {
  lines: number[][];
}

/** The drawing of our own layout. */
export function drawingOf({ points, offsets }: Layout): LayoutDrawing {
  const lines: number[][] = [];
  for (let e = 0; e + 1 < offsets.length; e++) {
    lines.push([...points.subarray(2 * offsets[e]!, 2 * offsets[e + 1]!)]);
  }
  return { lines };
}
