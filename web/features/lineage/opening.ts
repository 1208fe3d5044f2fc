import type { Point, Size } from "#web/graph/geometry.ts";
import type { Hidden } from "#web/graph/paint/layer.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { levelFrom } from "#web/graph/style.ts";
import { fit, type Viewport } from "#web/graph/viewport.ts";

/** Where a drawing opens: whole if its names can be read then, else at its root. */
export function openingView(scene: Scene, size: Size): Viewport {
  const whole = fit(scene.bounds, size);
  const root = scene.boxes.findIndex((box) => box.root);
  if (whole.zoom >= levelFrom.middle || root < 0) return whole;
  const { x, y, width, height } = rectOf(scene, root);
  return { x: x + width / 2, y: y + height / 2, zoom: 0.75 };
}

/** Where a view in an address is told from: layouts begin anywhere, and move as a whole when something is opened. */
export function originOf(scene: Scene): Point {
  const root = scene.boxes.findIndex((box) => box.root);
  return root < 0 ? { x: 0, y: 0 } : rectOf(scene, root);
}

/** A canvas that is drawn on another one and never shown itself. */
export function hiddenCanvas(width: number, height: number): Hidden | null {
  const image = new OffscreenCanvas(width, height);
  const brush = image.getContext("2d", { alpha: false });
  return brush && { brush, image };
}
