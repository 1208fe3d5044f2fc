import type { Proper } from "#web/graph/layout/dummies.ts";
import type { NodePositions } from "#web/graph/layout/positions.ts";
import { gaps } from "#web/graph/layout/sizes.ts";

/** A box with its upper left corner. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  /** How far below its top its lines end. */
  port: number;
}

/** Points in a row: x, y, x, y …, into a buffer that the caller has measured. */
export class Points {
  readonly values: Float32Array;
  #filled = 0;

  constructor(count: number) {
    this.values = new Float32Array(2 * count);
  }

  add(x: number, y: number): void {
    this.values[this.#filled++] = x;
    this.values[this.#filled++] = y;
  }
}

/** Points of a loop. */
export const loopPoints = 5;

/** How many points the line of edge e has: its ends, and both sides of every column that it passes. */
export function pointsOf({ routeOffsets }: Proper, e: number): number {
  return 2 + 2 * (routeOffsets[e + 1]! - routeOffsets[e]!);
}

/**
 * Adds the points of edge e, from the box that it starts at to the one that it ends at. A reversed edge starts at the left
 * side of its box and runs backwards. Passed columns are crossed level, so that no bend lies behind a box.
 */
export function addLine(
  points: Points,
  e: number,
  [from, to]: [Rectangle, Rectangle],
  { proper, positions, reversed, left, top }: {
    proper: Proper;
    positions: NodePositions;
    reversed: boolean;
    left: number;
    top: number;
  },
): void {
  points.add(from.x + (reversed ? 0 : from.width), from.y + from.port);
  const [first, last] = [proper.routeOffsets[e]!, proper.routeOffsets[e + 1]!];
  for (let at = first; at < last; at++) {
    const dummy = proper.routes[reversed ? first + last - 1 - at : at]!;
    const column = proper.layers[dummy]!;
    const x = left + positions.columnX[column]!;
    const y = top + positions.middles[dummy]!;
    const width = positions.columnWidth[column]!;
    points.add(reversed ? x + width : x, y);
    points.add(reversed ? x : x + width, y);
  }
  points.add(to.x + (reversed ? to.width : 0), to.y + to.port);
}

/** Adds the loop of a box that feeds itself: out to the right, and back from above. */
export function addLoop(points: Points, { x, y, width, port }: Rectangle): void {
  const right = x + width;
  const inward = Math.min(gaps.loop, width / 2);
  points.add(right, y + port);
  points.add(right + gaps.loop, y + port);
  points.add(right + gaps.loop, y - gaps.loop);
  points.add(right - inward, y - gaps.loop);
  points.add(right - inward, y);
}
