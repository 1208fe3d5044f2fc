import { clampTo, type Point, type Rect, type Size } from "#web/graph/geometry.ts";

/** The part of a drawing that is seen: the point in the middle of the screen, and pixels of the screen per length. */
export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

export const zoomRange = { min: 0.002, max: 2.5 } as const;

/** At most this many pixels to an edge when all is fitted in. */
const fitMargin = 32;

export function toScreen(view: Viewport, size: Size, point: Point): Point {
  return {
    x: (point.x - view.x) * view.zoom + size.width / 2,
    y: (point.y - view.y) * view.zoom + size.height / 2,
  };
}

export function toWorld(view: Viewport, size: Size, screen: Point): Point {
  return {
    x: (screen.x - size.width / 2) / view.zoom + view.x,
    y: (screen.y - size.height / 2) / view.zoom + view.y,
  };
}

/** The rectangle of the drawing that is seen. */
export function seen(view: Viewport, size: Size): Rect {
  const [width, height] = [size.width / view.zoom, size.height / view.zoom];
  return { x: view.x - width / 2, y: view.y - height / 2, width, height };
}

/** Moves the drawing with the pointer, by pixels of the screen. */
export function pan(view: Viewport, dx: number, dy: number): Viewport {
  return { ...view, x: view.x - dx / view.zoom, y: view.y - dy / view.zoom };
}

/** Zooms by a factor; what is under the given point of the screen stays there. */
export function zoomAt(view: Viewport, size: Size, screen: Point, factor: number): Viewport {
  const zoom = clampTo(view.zoom * factor, zoomRange.min, zoomRange.max);
  const fixed = toWorld(view, size, screen);
  return {
    x: fixed.x - (screen.x - size.width / 2) / zoom,
    y: fixed.y - (screen.y - size.height / 2) / zoom,
    zoom,
  };
}

/** All of `bounds` in the middle of the screen, never magnified. */
export function fit(bounds: Rect, size: Size): Viewport {
  const innerLength = (length: number) => Math.max(length - 2 * fitMargin, 1);
  const zoom = Math.min(
    innerLength(size.width) / Math.max(bounds.width, 1),
    innerLength(size.height) / Math.max(bounds.height, 1),
    1,
  );
  return {
    x: bounds.x + bounds.width / 2,
    y: bounds.y + bounds.height / 2,
    zoom: clampTo(zoom, zoomRange.min, zoomRange.max),
  };
}

/** A viewport as near as possible that still shows some of the drawing: its middle never leaves `bounds`. */
export function clamped(view: Viewport, bounds: Rect): Viewport {
  return {
    x: clampTo(view.x, bounds.x, bounds.x + bounds.width),
    y: clampTo(view.y, bounds.y, bounds.y + bounds.height),
    zoom: clampTo(view.zoom, zoomRange.min, zoomRange.max),
  };
}

/** The viewport that shows a rectangle, moved no further than needed; `margin` in pixels of the screen. */
export function reveal(view: Viewport, size: Size, rect: Rect, margin = 48): Viewport {
  const move = (middle: number, length: number, from: number, to: number) => {
    const half = length / view.zoom / 2;
    const edge = Math.min(margin / view.zoom, half / 2);
    if (to - from > 2 * (half - edge)) return (from + to) / 2;
    return clampTo(middle, to + edge - half, from - edge + half);
  };
  return {
    x: move(view.x, size.width, rect.x, rect.x + rect.width),
    y: move(view.y, size.height, rect.y, rect.y + rect.height),
    zoom: view.zoom,
  };
}

/** Between two viewports, at `t` from 0 to 1; zooms by factors, so that it looks even. */
export function between(from: Viewport, to: Viewport, t: number): Viewport {
  const eased = easedAt(t);
  const mix = (a: number, b: number) => a + (b - a) * eased;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    zoom: from.zoom * Math.pow(to.zoom / from.zoom, eased),
  };
}

/** Starts and ends slowly. */
export function easedAt(t: number): number {
  const at = clampTo(t, 0, 1);
  return at < 0.5 ? 2 * at * at : 1 - 2 * (1 - at) * (1 - at);
}

/** Milliseconds that a move takes; none for people who asked for less motion. */
export function moveTime(reducedMotion: boolean): number {
  return reducedMotion ? 0 : 200;
}

/** `x,y,zoom` for an address: short, and read back to within half a pixel of the screen at zoom 2. */
export function viewportText({ x, y, zoom }: Viewport): string {
  return `${round(x, 1)},${round(y, 1)},${round(zoom, 4)}`;
}

function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit + 0;
}

const farthest = 1e8;

/** The viewport that `viewportText` wrote; null for any other text. */
export function viewportOf(text: string | null | undefined): Viewport | null {
  const parts = /^(-?\d{1,9}(?:\.\d{1,3})?),(-?\d{1,9}(?:\.\d{1,3})?),(\d{1,2}(?:\.\d{1,6})?)$/
    .exec(text ?? "");
  if (!parts) return null;
  const [x, y, zoom] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (Math.abs(x) > farthest || Math.abs(y) > farthest || zoom <= 0) return null;
  return { x, y, zoom: clampTo(zoom, zoomRange.min, zoomRange.max) };
}
