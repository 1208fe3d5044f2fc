import { mark, type Marks } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { stripeColour } from "#web/graph/paint/card.ts";
import { changeColour, type Theme } from "#web/graph/style.ts";

/** The least height of a block, and the widest gap that is closed, in pixels of the screen. */
const min = { height: 2, gap: 1.5 } as const;

/** Four numbers a block: x, y, width, height. */
type Blocks = Map<string, number[]>;

/**
 * Boxes seen from far: blocks in the colour that their cards have. Neighbours of one colour that look the same
 * become one block, and what would lie on the same pixels is drawn once; so the number of blocks is bounded by the
 * screen, not by the scene.
 */
export function paintBlocks(painting: PaintContext, seen: Uint32Array): void {
  const { brush } = painting;
  for (const [faded, blocks] of gather(painting, seen)) {
    brush.globalAlpha = faded ? fadedAlpha : 1;
    for (const [colour, rects] of blocks) {
      brush.fillStyle = colour;
      for (let at = 0; at < rects.length; at += 4) {
        brush.fillRect(rects[at]!, rects[at + 1]!, rects[at + 2]!, rects[at + 3]!);
      }
    }
  }
  brush.globalAlpha = 1;
  paintAlerts(painting, seen);
}

/** Faded blocks first. `seen` goes by column, then from top to bottom. */
function gather(painting: PaintContext, seen: Uint32Array): [boolean, Blocks][] {
  const { scene, marks, theme } = painting;
  const [gap, height] = [pixels(painting, min.gap), pixels(painting, min.height)];
  const [faded, plain]: [Blocks, Blocks] = [new Map(), new Map()];
  let open = { x: NaN, bottom: 0, colour: "", faded: false, rects: [] as number[] };
  for (const index of seen) {
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
function paintAlerts(painting: PaintContext, seen: Uint32Array): void {
  const { brush, scene, theme, marks } = painting;
  const side = pixels(painting, 4);
  let last = { x: NaN, y: 0 };
  brush.fillStyle = theme.alert;
  brush.beginPath();
  for (const index of seen) {
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
