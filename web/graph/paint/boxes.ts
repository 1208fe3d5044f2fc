import { mark } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import { handleRect, hasHandle } from "#web/graph/handles.ts";
import { borderDash, borderOf, card, stripeColour } from "#web/graph/paint/card.ts";
import { paintCards, paintTitles } from "#web/graph/paint/cards.ts";
import { rectOf, type SceneBox } from "#web/graph/scene.ts";
import { framingOf } from "#web/graph/paint/framing-of.ts";
import { changeColour, handle, type Level, rowHandle } from "#web/graph/style.ts";

/** How much of the accent the box has where the question started. */
export const rootTint = 0.16;

/** Boxes with names (middle) or as cards (near), each colour and font set once. */
export function paintBoxes(painting: PaintContext, seen: Uint32Array, level: Level): void {
  const { brush, marks } = painting;
  brush.textBaseline = "middle";
  brush.textAlign = "left";
  for (const faded of [true, false]) {
    const boxes = [...seen].filter((box) => ((marks.boxes[box]! & mark.faded) !== 0) === faded);
    if (boxes.length === 0) continue;
    brush.globalAlpha = faded ? fadedAlpha : 1;
    paintSurfaces(painting, boxes);
    paintStripes(painting, boxes);
    paintBorders(painting, boxes);
    const rows = boxes.filter((box) => painting.scene.boxes[box]!.form);
    const cards = rows.length > 0 ? boxes.filter((box) => !painting.scene.boxes[box]!.form) : boxes;
    if (level === "near") paintCards(painting, cards);
    else paintTitles(painting, cards);
    if (rows.length > 0) framingOf(painting.scene)?.paintRows(painting, rows);
    paintHandles(painting, boxes);
  }
  brush.globalAlpha = 1;
}

function paintSurfaces(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme } = painting;
  const folds = boxes.filter((box) => scene.boxes[box]!.kind === "fold");
  brush.setLineDash([]);
  brush.fillStyle = theme.surface;
  brush.strokeStyle = theme.border;
  brush.lineWidth = 1;
  for (const offset of [8, 4]) {
    brush.beginPath();
    for (const box of folds) {
      const { x, y, width, height } = rectOf(scene, box);
      brush.roundRect(x + offset, y + offset, width - offset, height, card.radius);
    }
    brush.fill();
    brush.stroke();
  }
  brush.beginPath();
  for (const box of boxes) {
    const { x, y, width, height } = rectOf(scene, box);
    brush.roundRect(x, y, width, height, card.radius);
  }
  brush.fill();
  paintRootSurfaces(painting, boxes);
}

/** Where the question started is tinted. */
function paintRootSurfaces({ brush, scene, theme }: PaintContext, boxes: number[]): void {
  const roots = boxes.filter((box) => scene.boxes[box]!.root);
  if (roots.length === 0) return;
  const alpha = brush.globalAlpha;
  brush.globalAlpha = alpha * rootTint;
  brush.fillStyle = theme.accent;
  brush.beginPath();
  for (const box of roots) {
    const { x, y, width, height } = rectOf(scene, box);
    brush.roundRect(x, y, width, height, card.radius);
  }
  brush.fill();
  brush.globalAlpha = alpha;
}

function paintStripes({ brush, scene, theme, marks }: PaintContext, boxes: number[]): void {
  const byColour = Map.groupBy(boxes, (box) => stripeColour(theme, marks, scene.boxes[box]!));
  for (const [colour, of] of byColour) {
    brush.fillStyle = colour;
    for (const box of of) {
      const { x, y, height } = rectOf(scene, box);
      brush.fillRect(x, y + card.radius, card.stripe, height - 2 * card.radius);
    }
  }
}

function paintBorders(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme, marks } = painting;
  const styles = Map.groupBy(boxes, (box) => {
    const accent = (marks.boxes[box]! & (mark.path | mark.selected)) !== 0 ||
      box === marks.hover || scene.boxes[box]!.root;
    return `${borderOf(scene.boxes[box]!)} ${accent} ${scene.boxes[box]!.change ?? ""}`;
  });
  for (const [style, of] of styles) {
    const [border, accent, change] = style.split(" ") as [keyof typeof borderDash, string, string];
    const changed = changeColour(theme, scene.boxes[of[0]!]!.change);
    brush.strokeStyle = accent === "true" ? theme.accent : changed ?? theme.border;
    brush.lineWidth = accent === "true" || change ? Math.max(2, pixels(painting, 2)) : 1.25;
    brush.setLineDash([...borderDash[border]]);
    brush.beginPath();
    for (const box of of) {
      const { x, y, width, height } = rectOf(scene, box);
      brush.roundRect(x, y, width, height, card.radius);
    }
    brush.stroke();
  }
  brush.setLineDash([]);
}

function paintHandles({ brush, scene, theme }: PaintContext, boxes: number[]): void {
  const sides = boxes.flatMap((box) =>
    (["left", "right"] as const).filter((side) => hasHandle(scene, box, side))
      .map((side) => ({
        rect: handleRect(scene, box, side),
        text: handleText(scene.boxes[box]!, side),
      }))
  );
  if (sides.length === 0) return;
  brush.fillStyle = theme.surface;
  brush.strokeStyle = theme.border;
  brush.lineWidth = 1;
  brush.beginPath();
  for (const { rect: { x, y, width, height } } of sides) {
    brush.roundRect(x, y, width, height, height / 2);
  }
  brush.fill();
  brush.stroke();
  brush.fillStyle = theme.accent;
  brush.textAlign = "center";
  for (const { rect, text } of sides) {
    const { size } = rect.height === handle.height ? handle : rowHandle;
    brush.font = `600 ${size}px ${theme.font}`;
    brush.fillText(text, rect.x + rect.width / 2, rect.y + rect.height / 2);
  }
  brush.textAlign = "left";
}

/** `+12`, `+3k`, or a minus sign where all is shown and can be put away. */
export function handleText(box: SceneBox, side: "left" | "right"): string {
  const hidden = box[side];
  if (hidden === 0) return "−";
  return hidden < 1_000 ? `+${hidden}` : `+${Math.floor(hidden / 1_000)}k`;
}
