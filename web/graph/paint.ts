import { grown, type Rect } from "#web/graph/geometry.ts";
import { paintBoxes } from "#web/graph/paint/boxes.ts";
import {
  type CanvasPort,
  type Outline,
  type PaintContext,
  type Picture,
  pixels,
  withTransform,
} from "#web/graph/paint/canvas-port.ts";
import { card } from "#web/graph/paint/card.ts";
import type { LineLayer, paintBlocks } from "#web/graph/paint/from-far.ts";
import { paintLabels, paintLines } from "#web/graph/paint/lines.ts";
import { cardsOf, framingOf } from "#web/graph/scene-parts.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { handle, levelOf } from "#web/graph/style.ts";
import { TextCutter } from "#web/graph/text.ts";
import { seen } from "#web/graph/viewport.ts";
import { t } from "#web/messages/text.ts";
export type { CanvasPort, Picture } from "#web/graph/paint/canvas-port.ts";

/** What a painter does without at first: it is loaded once somebody moves a drawing. */
interface PainterParts {
  paintBlocks: typeof paintBlocks;
  layer?: LineLayer | null;
}

/**
 * Paints pictures of scenes on a canvas. It keeps cut texts and outlines of icons from frame to frame, so one painter
 * belongs to one canvas. `makePath` makes an outline of path data: `(data) => new Path2D(data)` in a browser.
 */
export class Painter {
  readonly #cutter = new TextCutter();
  readonly #outlines = new Map<string, Outline>();
  readonly #makePath: (data: string) => Outline;
  #layer: LineLayer | null = null;
  #paintBlocks: PainterParts["paintBlocks"] | null = null;

  constructor(makePath: (data: string) => Outline) {
    this.#makePath = makePath;
  }

  /**
   * From now on boxes seen from far are blocks, and thousands of lines are kept in a layer while the view moves; without
   * these parts, each frame paints every name and all lines.
   */
  extend({ paintBlocks, layer = null }: PainterParts): void {
    this.#paintBlocks = paintBlocks;
    this.#layer = layer;
  }

  /** Paints everything that is seen, background included; draws nothing that is out of view. */
  paint(brush: CanvasPort, picture: Picture): void {
    const area = seen(picture.view, picture.size);
    const painting: PaintContext = {
      ...picture,
      brush,
      area,
      cutter: this.#cutter,
      outline: (data) => this.#outline(data),
    };
    clear(painting);
    withTransform(painting, 0, 0, 1);
    const byZoom = levelOf(picture.view.zoom);
    const isNamed = picture.isNamed || !this.#paintBlocks;
    const level = byZoom === "far" && isNamed ? "middle" : byZoom;
    const boxes = seenBoxes(picture.scene, grown(area, handle.width + handle.gap));
    framingOf(picture.scene)?.paintFrames(painting, level);
    // What the layer shows would cover frames.
    const layer = level === "far" && picture.scene.frames.length === 0 ? this.#layer : null;
    if (!layer?.paint(painting)) paintLines(painting, level);
    if (level === "far") this.#paintBlocks?.(painting, boxes);
    else paintBoxes(painting, boxes, level);
    cardsOf(picture.scene)?.paint(painting, boxes, level);
    if (level === "near") paintLabels(painting);
    if (!picture.isSmall) paintRoots(painting, boxes);
    paintFocus(painting);
  }

  #outline(data: string): Outline {
    let known = this.#outlines.get(data);
    if (!known) this.#outlines.set(data, known = this.#makePath(data));
    return known;
  }
}

function clear({ brush, theme, size, ratio }: PaintContext): void {
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.globalAlpha = 1;
  brush.setLineDash([]);
  brush.lineCap = "round";
  brush.lineJoin = "round";
  brush.fillStyle = theme.background;
  brush.fillRect(0, 0, Math.ceil(size.width * ratio), Math.ceil(size.height * ratio));
}

/** Boxes that touch a rectangle, in the order of the scene. A look at each is cheaper than any index of them. */
function seenBoxes({ rects, order }: Scene, area: Rect): Uint32Array {
  const found = new Uint32Array(order.length);
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  let count = 0;
  for (const box of order) {
    const at = 4 * box;
    if (rects[at]! > right || rects[at]! + rects[at + 2]! < area.x) continue;
    if (rects[at + 1]! > bottom || rects[at + 1]! + rects[at + 3]! < area.y) continue;
    found[count++] = box;
  }
  return found.subarray(0, count);
}

/** How the text above the box where the question started looks, in pixels of the screen. */
export const rootPill = { size: 11, height: 18, side: 8, gap: 3 } as const;

/**
 * A sign above each box where the question started, at its right end: names of frames are at the left. It has the same
 * size at every zoom.
 */
function paintRoots(painting: PaintContext, boxes: Uint32Array): void {
  const { brush, scene, theme } = painting;
  const roots = Array.from(boxes).filter((box) => scene.boxes[box]!.root);
  if (roots.length === 0) return;
  const text = t("graph.thisAsset");
  brush.font = `600 ${pixels(painting, rootPill.size)}px ${theme.font}`;
  brush.textBaseline = "middle";
  brush.textAlign = "center";
  const height = pixels(painting, rootPill.height);
  const width = brush.measureText(text).width + 2 * pixels(painting, rootPill.side);
  for (const box of roots) {
    const rect = rectOf(scene, box);
    const x = rect.x + rect.width - width / 2;
    const y = rect.y - pixels(painting, rootPill.gap) - height;
    brush.fillStyle = theme.accent;
    brush.beginPath();
    brush.roundRect(x - width / 2, y, width, height, height / 2);
    brush.fill();
    brush.fillStyle = theme.onAccent;
    brush.fillText(text, x, y + height / 2);
  }
  brush.textAlign = "left";
}

/** A ring at a distance, so that it is no matter of colour alone. */
function paintFocus(painting: PaintContext): void {
  const { brush, scene, marks, theme } = painting;
  if (marks.focus < 0 || marks.focus >= scene.boxes.length) return;
  const gap = pixels(painting, 3);
  const { x, y, width, height } = grown(rectOf(scene, marks.focus), gap);
  brush.strokeStyle = theme.accent;
  brush.lineWidth = pixels(painting, 2.5);
  brush.beginPath();
  brush.roundRect(x, y, width, height, card.radius + gap);
  brush.stroke();
}
