import type { OpenHealthMarks } from "#web/graph/health-marks.ts";
import { mark } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import {
  borderDash,
  borderOf,
  card,
  marksOf,
  paintIcon,
  paintMarks,
  stripeColour,
} from "#web/graph/paint/card.ts";
import { framingOf } from "#web/graph/scene-parts.ts";
import { handleRect, hasHandle, rectOf, type SceneBox } from "#web/graph/scene.ts";
import { boxSize, changeColour, handle, type Level, rowHandle } from "#web/graph/style.ts";
import { cutMiddle } from "#web/graph/text.ts";

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
    traceBoxes(painting, folds, offset);
    brush.fill();
    brush.stroke();
  }
  traceBoxes(painting, boxes);
  brush.fill();
  paintRootSurfaces(painting, boxes);
}

/** The outlines of boxes; with an offset those of the sheets of folds. */
function traceBoxes({ brush, scene }: PaintContext, boxes: number[], offset = 0): void {
  brush.beginPath();
  for (const box of boxes) {
    const { x, y, width, height } = rectOf(scene, box);
    brush.roundRect(x + offset, y + offset, width - offset, height, card.radius);
  }
}

/** Where the question started is tinted. */
function paintRootSurfaces(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme } = painting;
  const roots = boxes.filter((box) => scene.boxes[box]!.root);
  if (roots.length === 0) return;
  const alpha = brush.globalAlpha;
  brush.globalAlpha = alpha * rootTint;
  brush.fillStyle = theme.accent;
  traceBoxes(painting, roots);
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
    traceBoxes(painting, of);
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

/** Names alone; what is deleted is struck through. */
function paintTitles(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme } = painting;
  const font = `${card.title.size}px ${theme.font}`;
  brush.font = font;
  brush.fillStyle = theme.text;
  for (const box of boxes) {
    const { x, y, width } = rectOf(scene, box);
    const { kind, label, detail, deleted, alerts, change } = scene.boxes[box]!;
    const availableWidth = width - card.title.x - card.text.right - (alerts || change ? 30 : 0);
    const isFold = kind === "fold" && detail !== "";
    const middle = y + (isFold ? card.title.above : boxSize.height / 2);
    const text = fitted(painting, font, label, availableWidth);
    brush.fillText(text, x + card.title.x, middle);
    if (deleted) strike(painting, text, x + card.title.x, middle);
  }
  paintCounts(painting, boxes);
  for (const box of boxes) {
    const { alerts, change } = scene.boxes[box]!;
    if (alerts === 0 && !change) continue;
    const { x, y, width } = rectOf(scene, box);
    const [icon, colour] = [change ?? "alert", changeColour(theme, change) ?? theme.alert] as const;
    paintIcon(painting, icon, colour, x + width - 34, y + boxSize.height / 2 - 13, 26);
  }
}

/** How much is in folds: without it their names say little. */
function paintCounts(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme } = painting;
  const font = `${card.title.below.size}px ${theme.font}`;
  brush.font = font;
  brush.fillStyle = theme.muted;
  for (const box of boxes) {
    const { kind, detail } = scene.boxes[box]!;
    if (kind !== "fold" || detail === "") continue;
    const { x, y, width } = rectOf(scene, box);
    const text = fitted(painting, font, detail, width - card.title.x - card.text.right);
    brush.fillText(text, x + card.title.x, y + card.title.below.y);
  }
}

/** Icon, name, second line and marks. */
function paintCards(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme, marks } = painting;
  const nameFont = `600 ${card.name.size}px ${theme.font}`;
  brush.font = nameFont;
  brush.fillStyle = theme.text;
  for (const box of boxes) {
    const { x, y, width } = rectOf(scene, box);
    const { label, deleted } = scene.boxes[box]!;
    const availableWidth = width - card.text.x - card.text.right -
      (marks.health?.roomBeside(scene.boxes[box]!) ?? 0);
    const text = fitted(painting, nameFont, label, availableWidth);
    brush.fillText(text, x + card.text.x, y + card.name.y);
    if (deleted) strike(painting, text, x + card.text.x, y + card.name.y);
  }
  const detailFont = `${card.detail.size}px ${theme.font}`;
  brush.font = detailFont;
  brush.fillStyle = theme.muted;
  for (const box of boxes) {
    const { x, y, width } = rectOf(scene, box);
    const marked = marksOf(scene.boxes[box]!, marks.health).length *
      (card.mark.size + card.mark.gap);
    const availableWidth = width - card.text.x - card.text.right - marked;
    const text = fitted(painting, detailFont, scene.boxes[box]!.detail, availableWidth);
    if (text !== "") brush.fillText(text, x + card.text.x, y + card.detail.y);
  }
  for (const box of boxes) {
    paintIcons(painting, box);
    healthOf(painting)?.paint(painting, box);
  }
}

/** How entities are, for who paints it; nothing else is ever put there. */
function healthOf({ marks }: PaintContext): OpenHealthMarks | undefined {
  return marks.health as OpenHealthMarks | null | undefined ?? undefined;
}

function paintIcons(painting: PaintContext, index: number): void {
  const { scene, theme, marks } = painting;
  const { x, y, width } = rectOf(scene, index);
  const box = scene.boxes[index]!;
  const { icon } = card;
  paintIcon(painting, box.icon, stripeColour(theme, marks, box), x + icon.x, y + icon.y, icon.size);
  const end = { x: x + width - card.text.right, y: y + card.detail.y };
  paintMarks(painting, box, end, card.mark);
}

function fitted(
  { brush, cutter }: PaintContext,
  font: string,
  text: string,
  width: number,
): string {
  return cutter.cut(font, text, width, (t) => brush.measureText(t).width, cutMiddle);
}

function strike({ brush, theme }: PaintContext, text: string, x: number, y: number): void {
  brush.strokeStyle = theme.text;
  brush.lineWidth = 1.5;
  brush.beginPath();
  brush.moveTo(x, y);
  brush.lineTo(x + brush.measureText(text).width, y);
  brush.stroke();
}
