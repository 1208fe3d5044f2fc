import { curveOf, onCurve, type Point } from "#web/graph/geometry.ts";
import type { Scene } from "#web/graph/scene.ts";

/** The point half-way along a line, where its label stands. */
export function middleOf({ points, offsets }: Scene, line: number): Point {
  const [start, end] = [offsets[line]!, offsets[line + 1]!];
  if (end - start < 2) return { x: points[2 * start] ?? 0, y: points[2 * start + 1] ?? 0 };
  const piece = 2 * (start + Math.floor((end - start - 2) / 2));
  const [x0, y0, x1, y1] = points.subarray(piece, piece + 4);
  return (end - start) % 2 === 0 ? onCurve(curveOf(x0!, y0!, x1!, y1!), 0.5) : { x: x1!, y: y1! };
}
