import type { Rect } from "#web/graph/geometry.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { boxSize, handle } from "#web/graph/style.ts";

/** Where the "+n" of a side stands, whether it has one or not: below where lines end. */
export function handleRect(scene: Pick<Scene, "rects">, box: number, side: "left" | "right"): Rect {
  const { x, y, width } = rectOf(scene, box);
  return {
    x: side === "left" ? x - handle.gap - handle.width : x + width + handle.gap,
    y: y + boxSize.height - handle.height + handle.below,
    width: handle.width,
    height: handle.height,
  };
}

export function hasHandle({ boxes }: Scene, box: number, side: "left" | "right"): boolean {
  return boxes[box]![side] > 0 || boxes[box]!.closes[side];
}
