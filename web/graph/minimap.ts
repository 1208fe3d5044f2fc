import type { Point, Rect, Size } from "#web/graph/geometry.ts";
import { type Marks, noMarks } from "#web/graph/marks.ts";
import { paintBlocks } from "#web/graph/paint/from-far.ts";
import type { CanvasPort, Painter } from "#web/graph/paint.ts";
import type { Scene } from "#web/graph/scene.ts";
import type { Theme } from "#web/graph/style.ts";
import { seen, toScreen, toWorld, type Viewport, zoomRange } from "#web/graph/viewport.ts";

const margin = 6;

/** How a small map of a size shows a scene: always whole. */
function minimapView({ bounds }: Scene, size: Size): Viewport {
  const zoom = Math.min(
    (size.width - 2 * margin) / Math.max(bounds.width, 1),
    (size.height - 2 * margin) / Math.max(bounds.height, 1),
    // Small drawings stay blocks: a card in a corner says nothing that the card next to it does not.
    0.2,
  );
  return {
    x: bounds.x + bounds.width / 2,
    y: bounds.y + bounds.height / 2,
    zoom: Math.max(zoom, zoomRange.min / 10),
  };
}

/** The frame of what the screen shows, in pixels of the map, cut to the map. */
export function minimapFrame(scene: Scene, map: Size, view: Viewport, screen: Size): Rect {
  const visible = seen(view, screen);
  const on = minimapView(scene, map);
  const start = toScreen(on, map, visible);
  const end = toScreen(on, map, { x: visible.x + visible.width, y: visible.y + visible.height });
  const [x, y] = [Math.max(start.x, 0), Math.max(start.y, 0)];
  return {
    x,
    y,
    width: Math.max(Math.min(end.x, map.width) - x, 0),
    height: Math.max(Math.min(end.y, map.height) - y, 0),
  };
}

export function minimapPoint(scene: Scene, map: Size, at: Point): Point {
  return toWorld(minimapView(scene, map), map, at);
}

/** Paints the map without its frame; it changes with the scene and the theme only. */
export function paintMinimap(
  painter: Painter,
  brush: CanvasPort,
  { scene, theme, size, ratio, colour }: {
    scene: Scene;
    theme: Theme;
    size: Size;
    ratio: number;
    colour?: Marks["colour"];
  },
): void {
  const view = minimapView(scene, size);
  painter.extend({ paintBlocks });
  const marks = { ...noMarks(scene), colour };
  painter.paint(brush, { scene, view, size, ratio, marks, theme, isSmall: true });
}
