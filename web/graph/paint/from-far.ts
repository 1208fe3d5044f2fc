import { covers, type Rect } from "#web/graph/geometry.ts";
import { mark, type Marks } from "#web/graph/marks.ts";
import {
  type CanvasPort,
  fadedAlpha,
  type Outline,
  type PaintContext,
  pixels,
  withTransform,
} from "#web/graph/paint/canvas-port.ts";
import { stripeColour } from "#web/graph/paint/card.ts";
import { paintLines } from "#web/graph/paint/lines.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { changeColour, type Theme } from "#web/graph/style.ts";
import { seen, type Viewport } from "#web/graph/viewport.ts";

/** The least height of a block, and the widest gap that is closed, in pixels of the screen. */
const minBlock = { height: 2, gap: 1.5 } as const;

/** Four numbers a block: x, y, width, height. */
type Blocks = Map<string, number[]>;

/**
 * Boxes seen from far: blocks in the colour that their cards have. Neighbours of one colour that look the same
 * become one block, and what would lie on the same pixels is drawn once; so the number of blocks is bounded by the
 * screen, not by the scene.
 */
export function paintBlocks(painting: PaintContext, boxes: Uint32Array): void {
  const { brush } = painting;
  for (const [faded, blocks] of blocksOf(painting, boxes)) {
    brush.globalAlpha = faded ? fadedAlpha : 1;
    for (const [colour, rects] of blocks) {
      brush.fillStyle = colour;
      for (let at = 0; at < rects.length; at += 4) {
        brush.fillRect(rects[at]!, rects[at + 1]!, rects[at + 2]!, rects[at + 3]!);
      }
    }
  }
  brush.globalAlpha = 1;
  paintAlerts(painting, boxes);
}

/** Faded blocks first. `boxes` go by column, then from top to bottom. */
function blocksOf(painting: PaintContext, boxes: Uint32Array): [boolean, Blocks][] {
  const { scene, marks, theme } = painting;
  const [gap, height] = [pixels(painting, minBlock.gap), pixels(painting, minBlock.height)];
  const [faded, plain]: [Blocks, Blocks] = [new Map(), new Map()];
  let open = { x: NaN, bottom: 0, colour: "", faded: false, rects: [] as number[] };
  for (const index of boxes) {
    const at = 4 * index;
    const [x, y] = [scene.rects[at]!, scene.rects[at + 1]!];
    const [w, h] = [scene.rects[at + 2]!, Math.max(scene.rects[at + 3]!, height)];
    const isFaded = (marks.boxes[index]! & mark.faded) !== 0;
    const colour = colourOf(theme, marks, index, scene.boxes[index]!);
    const near = x === open.x && y - open.bottom < gap;
    const same = colour === open.colour && isFaded === open.faded;
    const marked = (marks.boxes[index]! & ~mark.faded) !== 0;
    if (near && same) {
      open.bottom = Math.max(open.bottom, y + h);
      open.rects[open.rects.length - 1] = open.bottom - open.rects.at(-3)!;
      continue;
    }
    // On the same pixels as the block above; only what is marked shows nevertheless.
    if (x === open.x && y + h - open.bottom < height && !marked) continue;
    const blocks = isFaded ? faded : plain;
    let rects = blocks.get(colour);
    if (!rects) blocks.set(colour, rects = []);
    rects.push(x, y, w, h);
    open = { x, bottom: y + h, colour, faded: isFaded, rects };
  }
  return [[true, faded], [false, plain]];
}

function colourOf(theme: Theme, marks: Marks, index: number, box: SceneBox): string {
  if (box.root || marks.boxes[index]! & (mark.path | mark.selected)) return theme.accent;
  return changeColour(theme, box.change) ?? stripeColour(theme, marks, box);
}

/** Triangles of one size on the screen; at most one where several would cover each other. */
function paintAlerts(painting: PaintContext, boxes: Uint32Array): void {
  const { brush, scene, theme, marks } = painting;
  const side = pixels(painting, 4);
  let last = { x: NaN, y: 0 };
  brush.fillStyle = theme.alert;
  brush.beginPath();
  for (const index of boxes) {
    if (scene.boxes[index]!.alerts === 0 || marks.boxes[index]! & mark.faded) continue;
    const [x, y] = [
      scene.rects[4 * index]! + scene.rects[4 * index + 2]!,
      scene.rects[4 * index + 1]!,
    ];
    if (x === last.x && y - last.y < 2 * side) continue;
    brush.moveTo(x, y - side);
    brush.lineTo(x + side, y + side);
    brush.lineTo(x - side, y + side);
    brush.closePath();
    last = { x, y };
  }
  brush.fill();
}

/** A hidden canvas of a size in device pixels, which can be drawn on another one. */
export interface Hidden {
  brush: CanvasPort;
  image: Outline;
}

type MakeHidden = (width: number, height: number) => Hidden | null;

/** Fewer lines than these are painted again in each frame. */
const fewLines = 1_500;

/** How much wider and higher than the screen the layer is, and how far it is magnified at most. */
const oversize = 1.5;
const maxMagnification = 1.8;

/**
 * Thousands of lines, painted once and shown again while the view moves: strokes are what a frame spends its time on.
 * Once the view has come to rest they are painted sharply.
 */
export class LineLayer {
  readonly #make: MakeHidden;
  #hidden: Hidden | null = null;
  #size = { width: 0, height: 0 };
  #painted: { key: readonly unknown[]; view: Viewport; area: Rect } | null = null;

  constructor(make: MakeHidden) {
    this.#make = make;
  }

  /** Paints the lines of a picture seen from far; false where that has to be done without a layer. */
  paint(painting: PaintContext): boolean {
    if (!painting.moving || painting.scene.lines.length < fewLines) {
      this.#painted = null;
      return false;
    }
    if (!this.#fits(painting) && !this.#render(painting)) return false;
    const { brush, view, size, ratio } = painting;
    const { area } = this.#painted!;
    const scale = ratio * view.zoom;
    const x = (area.x - view.x) * scale + ratio * size.width / 2;
    const y = (area.y - view.y) * scale + ratio * size.height / 2;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.drawImage(this.#hidden!.image, x, y, area.width * scale, area.height * scale);
    withTransform(painting, 0, 0, 1);
    return true;
  }

  #fits(painting: PaintContext): boolean {
    if (!this.#painted) return false;
    const { key, area, view } = this.#painted;
    const wanted = layerKey(painting);
    if (key.some((part, at) => part !== wanted[at])) return false;
    return painting.view.zoom <= view.zoom * maxMagnification && covers(area, painting.area);
  }

  #render(painting: PaintContext): boolean {
    const { view, ratio, theme } = painting;
    const size = { width: painting.size.width * oversize, height: painting.size.height * oversize };
    const inPixels = {
      width: Math.ceil(size.width * ratio),
      height: Math.ceil(size.height * ratio),
    };
    if (
      !this.#hidden || inPixels.width !== this.#size.width || inPixels.height !== this.#size.height
    ) {
      this.#hidden = this.#make(inPixels.width, inPixels.height);
      this.#size = inPixels;
    }
    if (!this.#hidden) return false;
    const { brush } = this.#hidden;
    const area = seen(view, size);
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.globalAlpha = 1;
    brush.fillStyle = theme.background;
    brush.fillRect(0, 0, inPixels.width, inPixels.height);
    const inside = { ...painting, brush, size, area };
    withTransform(inside, 0, 0, 1);
    paintLines(inside, "far");
    this.#painted = { key: layerKey(painting), view, area };
    return true;
  }
}

/** What the lines of a picture depend on besides the view. */
function layerKey({ scene, marks, theme, size, ratio }: PaintContext): readonly unknown[] {
  return [scene, marks.lines, marks.hoverLine, theme, size.width, size.height, ratio];
}
