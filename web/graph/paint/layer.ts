import type { Rect } from "#web/graph/geometry.ts";
import {
  type CanvasPort,
  type Outline,
  type PaintContext,
  withTransform,
} from "#web/graph/paint/canvas-port.ts";
import { paintLines } from "#web/graph/paint/lines.ts";
import { seen, type Viewport } from "#web/graph/viewport.ts";

/** A hidden canvas of a size in device pixels, which can be drawn on another one. */
export interface Hidden {
  brush: CanvasPort;
  image: Outline;
}
type MakeHidden = (width: number, height: number) => Hidden | null;

/** Fewer lines than these are painted again in each frame. */
const fewLines = 1_500;

/** How much wider and higher than the screen the layer is, and how far it is magnified. */
const oversize = 1.5;
const magnified = 1.8;

/**
 * Thousands of lines, painted once and shown again while the view moves: strokes are what a frame spends its time on.
 * Once the view has come to rest they are painted sharply.
 */
export class LineLayer {
  readonly #make: MakeHidden;
  #hidden: Hidden | null = null;
  #size = { width: 0, height: 0 };
  #of: { key: readonly unknown[]; view: Viewport; area: Rect } | null = null;

  constructor(make: MakeHidden) {
    this.#make = make;
  }

  /** Paints the lines of a picture seen from far; false where that has to be done without a layer. */
  paint(painting: PaintContext): boolean {
    if (!painting.moving || painting.scene.lines.length < fewLines) {
      this.#of = null;
      return false;
    }
    if (!this.#fits(painting) && !this.#render(painting)) return false;
    const { brush, view, size, ratio } = painting;
    const { area } = this.#of!;
    const scale = ratio * view.zoom;
    const x = (area.x - view.x) * scale + ratio * size.width / 2;
    const y = (area.y - view.y) * scale + ratio * size.height / 2;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.drawImage(this.#hidden!.image, x, y, area.width * scale, area.height * scale);
    withTransform(painting, 0, 0, 1);
    return true;
  }

  #fits(painting: PaintContext): boolean {
    if (!this.#of || this.#of.key.some((one, at) => one !== keyOf(painting)[at])) return false;
    const { area, view } = this.#of;
    const visible = painting.area;
    return painting.view.zoom <= view.zoom * magnified && visible.x >= area.x &&
      visible.y >= area.y &&
      visible.x + visible.width <= area.x + area.width &&
      visible.y + visible.height <= area.y + area.height;
  }

  #render(painting: PaintContext): boolean {
    const { view, ratio, theme } = painting;
    const size = { width: painting.size.width * oversize, height: painting.size.height * oversize };
    const pixels = { width: Math.ceil(size.width * ratio), height: Math.ceil(size.height * ratio) };
    if (!this.#hidden || pixels.width !== this.#size.width || pixels.height !== this.#size.height) {
      this.#hidden = this.#make(pixels.width, pixels.height);
      this.#size = pixels;
    }
    if (!this.#hidden) return false;
    const { brush } = this.#hidden;
    const area = seen(view, size);
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.globalAlpha = 1;
    brush.fillStyle = theme.background;
    brush.fillRect(0, 0, pixels.width, pixels.height);
    const inside = { ...painting, brush, size, area };
    withTransform(inside, 0, 0, 1);
    paintLines(inside, "far");
    this.#of = { key: keyOf(painting), view, area };
    return true;
  }
}

/** What the lines of a picture depend on besides the view. */
function keyOf({ scene, marks, theme, size, ratio }: PaintContext): readonly unknown[] {
  return [scene, marks.lines, marks.hoverLine, theme, size.width, size.height, ratio];
}
