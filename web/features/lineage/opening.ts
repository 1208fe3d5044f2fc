import { clampTo, type Point, type Size } from "#web/graph/geometry.ts";
import type { Hidden } from "#web/graph/paint/from-far.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { levelFrom } from "#web/graph/style.ts";
import { fit, type Viewport } from "#web/graph/viewport.ts";

/** The smallest zoom at which a drawing opens: names have some 12 pixels then. */
const readable = 0.5;

/** Where a drawing opens: whole if its names, or the columns of opened cards, can be read then, else at its root. */
export function openingView(scene: Scene, size: Size): Viewport {
  const whole = fit(scene.bounds, size);
  const least = scene.cards ? levelFrom.near : readable;
  return whole.zoom >= least ? whole : rootView(scene, size, least);
}

/**
 * The root as near to the middle as the drawing fills the screen, at a zoom that shows what it is; everything when there
 * is no root.
 */
export function rootView(scene: Scene, size: Size, zoom: number): Viewport {
  const root = scene.boxes.findIndex((box) => box.root);
  if (root < 0) return fit(scene.bounds, size);
  const at = Math.max(zoom, readable);
  const { x, y, width, height } = rectOf(scene, root);
  const { bounds } = scene;
  return {
    x: within(x + width / 2, bounds.x, bounds.width, size.width / at),
    y: within(y + height / 2, bounds.y, bounds.height, size.height / at),
    zoom: at,
  };
}

/** Free space that may be seen at an edge of the drawing. */
const margin = 60;

/** The middle of what is seen: `wanted`, or as near as it may be for the drawing to fill the screen. */
function within(wanted: number, start: number, length: number, seen: number): number {
  const free = (length + 2 * margin - seen) / 2;
  if (free <= 0) return start + length / 2;
  return clampTo(wanted, start + length / 2 - free, start + length / 2 + free);
}

/** The origin of a view in an address: layouts begin anywhere, and move as a whole when something is opened. */
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
