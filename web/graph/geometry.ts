/** Lengths are pixels at zoom 1 unless a name says `screen`. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export type Rect = Point & Size;

export function contains(rect: Rect, { x, y }: Point): boolean {
  return x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height;
}

export function grown(rect: Rect, by: number): Rect {
  return {
    x: rect.x - by,
    y: rect.y - by,
    width: rect.width + 2 * by,
    height: rect.height + 2 * by,
  };
}

/** Whether a rectangle has all of another one in it. */
export function covers(rect: Rect, { x, y, width, height }: Rect): boolean {
  return contains(rect, { x, y }) && contains(rect, { x: x + width, y: y + height });
}

/** The smallest rectangle around two. */
export function union(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Whether two rectangles have more than an edge in common. */
export function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The rectangle `index` of an array with four numbers each: x, y, width, height. */
export function rectOf({ rects }: { rects: Float32Array }, index: number): Rect {
  const at = 4 * index;
  return { x: rects[at]!, y: rects[at + 1]!, width: rects[at + 2]!, height: rects[at + 3]! };
}

export function clampTo(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** The greatest whole number up to `max` for which `holds`, as it does for all smaller ones; 0 where it holds for none. */
export function greatest(max: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, max];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The curve from one route point to the next; both ends are level, so that curves join without a kink. `c0` and `c1` are x of
 * its control points, the first at the height of the start, the second at that of the end.
 */
export function curveOf(x0: number, y0: number, x1: number, y1: number) {
  const half = (x1 - x0) / 2;
  return { x0, y0, x1, y1, c0: x0 + half, c1: x1 - half };
}

/** The point of a curve at `t` from 0 to 1. */
export function onCurve(
  { x0, y0, x1, y1, c0, c1 }: ReturnType<typeof curveOf>,
  t: number,
): Point {
  const u = 1 - t;
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return { x: a * x0 + b * c0 + c * c1 + d * x1, y: (a + b) * y0 + (c + d) * y1 };
}

/** Square of the distance of a point from the straight piece from a to b. */
export function squareToPiece(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : clampTo(((x - ax) * dx + (y - ay) * dy) / length, 0, 1);
  const [ex, ey] = [ax + t * dx - x, ay + t * dy - y];
  return ex * ex + ey * ey;
}
