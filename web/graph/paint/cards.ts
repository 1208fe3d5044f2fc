import type { OpenHealthMarks } from "#web/graph/health-marks.ts";
import type { IconKey } from "#web/graph/icons.ts";
import { type PaintContext, withTransform } from "#web/graph/paint/canvas-port.ts";
import { card, iconOfMark, markColour, marksOf, stripeColour } from "#web/graph/paint/card.ts";
import { cutMiddle } from "#web/graph/paint/text.ts";
import { rectOf } from "#web/graph/scene.ts";
import { boxSize, changeColour } from "#web/graph/style.ts";

/** Names alone; what is deleted is struck through. */
export function paintTitles(painting: PaintContext, boxes: number[]): void {
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
export function paintCards(painting: PaintContext, boxes: number[]): void {
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

function paintIcons(painting: PaintContext, box: number): void {
  const { scene, theme, marks } = painting;
  const { x, y, width } = rectOf(scene, box);
  const facts = scene.boxes[box]!;
  const { icon, mark } = card;
  paintIcon(
    painting,
    facts.icon,
    stripeColour(theme, marks, facts),
    x + icon.x,
    y + icon.y,
    icon.size,
  );
  let right = x + width - card.text.right;
  for (const name of marksOf(facts, marks.health).reverse()) {
    right -= mark.size;
    const colour = markColour(theme, name);
    paintIcon(
      painting,
      iconOfMark(name),
      colour,
      right,
      y + card.detail.y - mark.size / 2,
      mark.size,
    );
    right -= mark.gap;
  }
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

function paintIcon(
  painting: PaintContext,
  name: IconKey,
  colour: string,
  x: number,
  y: number,
  size: number,
): void {
  const { brush } = painting;
  const outline = painting.marks.icons?.[name];
  if (!outline) return;
  const scale = size / 24;
  withTransform(painting, x, y, scale);
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.stroke(painting.outline(outline));
  withTransform(painting, 0, 0, 1);
}
