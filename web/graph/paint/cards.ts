import { type BoxHealth, initialsOf } from "#web/graph/health.ts";
import { iconPaths } from "#web/graph/icons.ts";
import { type PaintContext, withTransform } from "#web/graph/paint/canvas-port.ts";
import { stripeColour } from "#web/graph/paint/boxes.ts";
import { card, iconOfMark, markColour, marksOf } from "#web/graph/paint/card.ts";
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
    const { label, deleted, alerts, change } = scene.boxes[box]!;
    const availableWidth = width - card.title.x - card.text.right - (alerts || change ? 30 : 0);
    const text = fitted(painting, font, label, availableWidth);
    brush.fillText(text, x + card.title.x, y + boxSize.height / 2);
    if (deleted) strike(painting, text, x + card.title.x, y + boxSize.height / 2);
  }
  for (const box of boxes) {
    const { alerts, change } = scene.boxes[box]!;
    if (alerts === 0 && !change) continue;
    const { x, y, width } = rectOf(scene, box);
    const [icon, colour] = [change ?? "alert", changeColour(theme, change) ?? theme.alert] as const;
    paintIcon(painting, icon, colour, x + width - 34, y + boxSize.height / 2 - 13, 26);
  }
}

/** Icon, name, second line and marks. */
export function paintCards(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme } = painting;
  const nameFont = `600 ${card.name.size}px ${theme.font}`;
  brush.font = nameFont;
  brush.fillStyle = theme.text;
  for (const box of boxes) {
    const { x, y, width } = rectOf(scene, box);
    const { label, deleted } = scene.boxes[box]!;
    const availableWidth = width - card.text.x - card.text.right -
      roomBeside(healthOf(painting, box));
    const text = fitted(painting, nameFont, label, availableWidth);
    brush.fillText(text, x + card.text.x, y + card.name.y);
    if (deleted) strike(painting, text, x + card.text.x, y + card.name.y);
  }
  const detailFont = `${card.detail.size}px ${theme.font}`;
  brush.font = detailFont;
  brush.fillStyle = theme.muted;
  for (const box of boxes) {
    const { x, y, width } = rectOf(scene, box);
    const marked = marksOf(scene.boxes[box]!, healthOf(painting, box)).length *
      (card.mark.size + card.mark.gap);
    const availableWidth = width - card.text.x - card.text.right - marked;
    const text = fitted(painting, detailFont, scene.boxes[box]!.detail, availableWidth);
    if (text !== "") brush.fillText(text, x + card.text.x, y + card.detail.y);
  }
  for (const box of boxes) {
    paintIcons(painting, box);
    paintHealth(painting, box);
  }
}

/** What is known of the entity of a box; of a fold nothing is shown. */
function healthOf({ scene, marks }: PaintContext, box: number): BoxHealth | undefined {
  const { kind, members } = scene.boxes[box]!;
  return kind === "entity" ? marks.health?.get(members[0]!) : undefined;
}

/** What owner and freshness take of the first line. */
function roomBeside(health: BoxHealth | undefined): number {
  const owner = health?.owners.length ? 2 * card.owner.radius + 4 : 0;
  return owner + (health?.freshness ? 2 * card.dot.radius + 6 : 0);
}

/** The initials of the first owner, and the dot of freshness. */
function paintHealth(painting: PaintContext, box: number): void {
  const health = healthOf(painting, box);
  if (!health) return;
  const { brush, scene, theme } = painting;
  const { x, y, width } = rectOf(scene, box);
  const owner = health.owners[0];
  if (owner !== undefined) {
    const middle = { x: x + width - card.owner.right, y: y + card.name.y - 4 };
    brush.fillStyle = theme.border;
    circle(painting, middle.x, middle.y, card.owner.radius);
    brush.font = `600 ${card.owner.size}px ${theme.font}`;
    brush.fillStyle = theme.surface;
    brush.textAlign = "center";
    brush.fillText(initialsOf(owner), middle.x, middle.y);
    brush.textAlign = "left";
  }
  paintDot(painting, box, health, owner === undefined ? card.dot.right : card.dot.beside);
}

function paintDot(
  painting: PaintContext,
  box: number,
  { freshness }: BoxHealth,
  right: number,
): void {
  if (!freshness) return;
  const { brush, scene, theme } = painting;
  const { x, y, width } = rectOf(scene, box);
  brush.fillStyle = freshness === "FRESH" ? theme.changes.came : theme.alert;
  circle(painting, x + width - right - card.dot.radius, y + card.name.y - 4, card.dot.radius);
}

function circle({ brush }: PaintContext, x: number, y: number, radius: number): void {
  brush.beginPath();
  brush.roundRect(x - radius, y - radius, 2 * radius, 2 * radius, radius);
  brush.fill();
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
  for (const name of marksOf(facts, healthOf(painting, box)).reverse()) {
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
  name: keyof typeof iconPaths,
  colour: string,
  x: number,
  y: number,
  size: number,
): void {
  const { brush } = painting;
  const scale = size / 24;
  withTransform(painting, x, y, scale);
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.stroke(painting.outline(iconPaths[name]));
  withTransform(painting, 0, 0, 1);
}
