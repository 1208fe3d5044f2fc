import type { Rect, Size } from "#web/graph/geometry.ts";
import type { View, ViewNode } from "#web/graph/model.ts";
import { boxSize, rowSize, tileHeight } from "#web/graph/style.ts";

/** Minimum x and y, greatest x and y of each line. */
export function boundsOfLines(
  points: Float32Array,
  offsets: Uint32Array,
  count: number,
): Float32Array {
  const bounds = new Float32Array(4 * count);
  for (let line = 0; line < count; line++) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = 2 * offsets[line]!; at < 2 * offsets[line + 1]!; at += 2) {
      const [x, y] = [points[at]!, points[at + 1]!];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    bounds.set([left, top, right, bottom], 4 * line);
  }
  return bounds;
}

/** Rectangles and bounds of lines have the same place for x and y, not for what follows. */
export function boundsOfAll(rects: Float32Array, lineBounds: Float32Array): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (x0: number, y0: number, x1: number, y1: number) => {
    if (x0 < left) left = x0;
    if (y0 < top) top = y0;
    if (x1 > right) right = x1;
    if (y1 > bottom) bottom = y1;
  };
  for (let at = 0; at < rects.length; at += 4) {
    const [x, y] = [rects[at]!, rects[at + 1]!];
    add(x, y, x + rects[at + 2]!, y + rects[at + 3]!);
  }
  for (let at = 0; at < lineBounds.length; at += 4) {
    add(lineBounds[at]!, lineBounds[at + 1]!, lineBounds[at + 2]!, lineBounds[at + 3]!);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Boxes by column, then from top to bottom. */
export function orderOf(columns: Uint32Array, rects: Float32Array): Uint32Array {
  const order = Uint32Array.from({ length: rects.length / 4 }, (_, index) => index);
  return order.sort((a, b) =>
    columns[a]! - columns[b]! || rects[4 * a + 1]! - rects[4 * b + 1]! || a - b
  );
}

/** Opened cards as far as a scene knows them; who paints it knows more (`scene-parts.ts`). */
export interface SceneCards {
  /** Of the box with that key, at zoom 1; undefined for one that is not opened. */
  heightOf(key: string): number | undefined;
}

/** The room beside boxes that the labels of a view need. */
export function paddingOf(view: View): number {
  return view.edges.some(({ label }) => label !== "") ? 60 : 0;
}

type Sized = Pick<ViewNode, "key" | "form">;

/**
 * The size that the layout has to leave for each box of a view, where its lines end (next to its name), and the free space
 * around it where that is not the usual one.
 */
export function sizeIn(
  view: View,
  cards?: SceneCards | null,
): (node: Sized) => Size & { port: number; space?: number } {
  const width = boxSize.width + 2 * paddingOf(view);
  return (node) => {
    const height = heightIn(cards, node);
    const port = Math.min(height, boxSize.height) / 2;
    return { width, height, port, ...(height === rowSize.height && { space: rowSize.gap }) };
  };
}

/** An opened card is a whole one also among rows. */
export function heightIn(cards: SceneCards | null | undefined, { key, form }: Sized): number {
  const own = form === "row" ? rowSize.height : form === "tile" ? tileHeight : boxSize.height;
  return cards?.heightOf(key) ?? own;
}
