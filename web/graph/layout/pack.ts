import { aspect, gaps } from "#web/graph/layout/sizes.ts";

/** Where each rectangle lies, and how large all are together. */
export interface PackedLayout {
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
}

/**
 * Packs rectangles into rows from left to right in the order given, so that the whole is about as wide as a screen is for
 * its height.
 */
export function packed(
  widths: ArrayLike<number>,
  heights: ArrayLike<number>,
  gap: number,
): PackedLayout {
  const count = widths.length;
  let [area, widest] = [0, 0];
  for (let at = 0; at < count; at++) {
    area += (widths[at]! + gap) * (heights[at]! + gap);
    widest = Math.max(widest, widths[at]!);
  }
  const max = Math.max(widest, Math.sqrt(area * aspect));
  const packing = { x: new Float64Array(count), y: new Float64Array(count), width: 0, height: 0 };
  let [x, y, rowHeight] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    if (x > 0 && x + widths[at]! > max) {
      y += rowHeight + gap;
      [x, rowHeight] = [0, 0];
    }
    packing.x[at] = x;
    packing.y[at] = y;
    packing.width = Math.max(packing.width, x + widths[at]!);
    rowHeight = Math.max(rowHeight, heights[at]!);
    x += widths[at]! + gap;
  }
  packing.height = count > 0 ? y + rowHeight : 0;
  return packing;
}

/** Boxes without lines, in the rows and columns of a grid; x and y by place in `boxes`. */
export function grid(
  boxes: Uint32Array,
  widths: Float32Array,
  heights: Float32Array,
): PackedLayout {
  let [width, height] = [0, 0];
  for (const box of boxes) {
    width = Math.max(width, widths[box]!);
    height = Math.max(height, heights[box]!);
  }
  const cells = (size: number) => new Float64Array(boxes.length).fill(size);
  return packed(cells(width), cells(height), gaps.row);
}
