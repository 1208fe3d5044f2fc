import type { Rect } from "#web/graph/geometry.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { boxSize, handle, rowHandle } from "#web/graph/style.ts";

/** Where the "+n" of a side stands, whether it has one or not: below where lines end. */
export function handleRect(
  scene: Pick<Scene, "rects" | "boxes">,
  box: number,
  side: "left" | "right",
): Rect {
  const { x, y, width, height } = rectOf(scene, box);
  const size = scene.boxes[box]!.form ? rowHandle : handle;
  return {
    x: side === "left" ? x - size.gap - size.width : x + width + size.gap,
    y: y + Math.min(height, boxSize.height) - size.height + size.below,
    width: size.width,
    height: size.height,
  };
}

export function hasHandle({ boxes }: Scene, box: number, side: "left" | "right"): boolean {
  return boxes[box]![side] > 0 || boxes[box]!.closes[side];
}
