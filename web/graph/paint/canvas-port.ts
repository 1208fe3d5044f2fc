import type { Rect, Size } from "#web/graph/geometry.ts";
import type { Marks } from "#web/graph/marks.ts";
import type { Scene } from "#web/graph/scene.ts";
import type { Theme } from "#web/graph/style.ts";
import type { TextCutter } from "#web/graph/text.ts";
import type { Viewport } from "#web/graph/viewport.ts";

/** An outline that was made of path data: a `Path2D` in a browser. */
export type Outline = object;

/**
 * What the painter uses of a `CanvasRenderingContext2D`, so that a page, a worker and a test can give one; what is set
 * is never read.
 */
export interface CanvasPort {
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
  roundRect(x: number, y: number, width: number, height: number, radius: number): void;
  fill(): void;
  stroke(outline?: Outline): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { width: number };
  drawImage(image: Outline, x: number, y: number, width: number, height: number): void;
  setLineDash(lengths: number[]): void;
  get fillStyle(): unknown;
  set fillStyle(colour: string);
  get strokeStyle(): unknown;
  set strokeStyle(colour: string);
  lineWidth: number;
  globalAlpha: number;
  font: string;
  get textAlign(): unknown;
  set textAlign(at: "left" | "center");
  get textBaseline(): unknown;
  set textBaseline(at: "middle");
  get lineCap(): unknown;
  set lineCap(value: "round");
  get lineJoin(): unknown;
  set lineJoin(value: "round");
}

/** What is to be painted, and how it is seen. */
export interface Picture {
  scene: Scene;
  view: Viewport;
  /** Of the screen, in CSS pixels. */
  size: Size;
  /** Device pixels per CSS pixel. */
  ratio: number;
  marks: Marks;
  theme: Theme;
  /** The view is on its way: what takes long may be shown as it was, magnified. */
  moving?: boolean;
  /** Boxes have names, however small they are. */
  isNamed?: boolean;
  /** A small map: roots have no sign, for which there is no room. */
  isSmall?: boolean;
}

export interface PaintContext extends Picture {
  brush: CanvasPort;
  /** The part that is seen, in lengths of the drawing. */
  area: Rect;
  cutter: TextCutter;
  /** An outline as the canvas takes it, made once. */
  outline: (data: string) => Outline;
}

/** How much of what is faded is still seen. */
export const fadedAlpha = 0.28;

/** Lengths of the drawing that are so many CSS pixels on the screen. */
export function pixels({ view }: PaintContext, count: number): number {
  return count / view.zoom;
}

/** Sets the transform of the drawing, moved and scaled. */
export function withTransform(painting: PaintContext, x: number, y: number, scale: number): void {
  const { brush, view, size, ratio } = painting;
  const factor = ratio * view.zoom;
  brush.setTransform(
    factor * scale,
    0,
    0,
    factor * scale,
    factor * (x - view.x) + ratio * size.width / 2,
    factor * (y - view.y) + ratio * size.height / 2,
  );
}
