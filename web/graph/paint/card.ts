import type { BoxHealth } from "#web/graph/health.ts";
import type { Point } from "#web/graph/geometry.ts";
import type { IconKey } from "#web/graph/icons.ts";
import type { HealthMarks, MarkIcon, Marks } from "#web/graph/marks.ts";
import { type PaintContext, withTransform } from "#web/graph/paint/canvas-port.ts";
import type { SceneBox } from "#web/graph/scene.ts";
import { changeColour, type Theme } from "#web/graph/style.ts";

/** How borders tell states apart without colour: dashes and gaps in lengths of the drawing. */
export const borderDash = { hollow: [8, 5], stale: [2, 3], plain: [] } as const;

/** Where things stand within a card, from its upper left corner. */
export const card = {
  radius: 6,
  stripe: 5,
  icon: { x: 14, y: 9, size: 18 },
  /** Letters of the technology below the icon, next to the second line. */
  logo: { x: 11, y: 31, width: 25, height: 15, size: 9, radius: 4 },
  text: { x: 42, right: 10 },
  name: { y: 19, size: 13 },
  detail: { y: 38, size: 11 },
  /** How many columns; a click on it opens them. */
  footer: { y: 54, size: 10, top: 46 },
  mark: { size: 15, gap: 4 },
  /** Next to the name, from the right edge: initials of the owner, and whether it was updated as usual. */
  owner: { right: 20, radius: 10, size: 9 },
  dot: { right: 10, beside: 38, radius: 4 },
  /** Middle level: the name alone. */
  title: { x: 14, size: 23, above: 22, below: { y: 47, size: 17 } },
} as const;

export function borderOf(box: Pick<SceneBox, "hollow" | "stale">): keyof typeof borderDash {
  return box.hollow ? "hollow" : box.stale ? "stale" : "plain";
}

/** Icons at the right end of the second line that say what the border says, in words of pictures. */
export function marksOf(box: SceneBox, health?: HealthMarks | null): MarkIcon[] {
  return [
    ...(box.change ? [box.change] : []),
    ...(box.deleted ? ["deleted" as const] : []),
    ...(box.hollow ? ["hollow" as const] : []),
    ...(box.stale ? ["stale" as const] : []),
    ...(health?.icons(box) ?? []),
    ...(box.alerts > 0 ? ["alert" as const] : []),
  ];
}

export function markColour(theme: Theme, name: ReturnType<typeof marksOf>[number]): string {
  if (name === "came" || name === "left") return changeColour(theme, name)!;
  if (name === "passing") return theme.changes.came;
  return name === "alert" || name === "failing" ? theme.alert : theme.muted;
}

export function iconOfMark(name: MarkIcon): IconKey {
  return name === "passing" || name === "failing" ? "test" : name;
}

export function stripeColour(theme: Theme, marks: Marks, box: SceneBox): string {
  return marks.colour?.(theme, box) ?? theme.classes[box.colour];
}

/** The colour of the dot that shows whether an asset was updated as usual. */
export function freshnessColour(theme: Theme, freshness: BoxHealth["freshness"]): string {
  return freshness === "FRESH" ? theme.changes.came : theme.alert;
}

/** Paints the marks of a box side by side, the last of which ends at a point. */
export function paintMarks(
  painting: PaintContext,
  box: SceneBox,
  { x, y }: Point,
  { size, gap }: { size: number; gap: number },
): void {
  const { theme, marks } = painting;
  for (const [at, name] of marksOf(box, marks.health).reverse().entries()) {
    const left = x - size - at * (size + gap);
    paintIcon(painting, iconOfMark(name), markColour(theme, name), left, y - size / 2, size);
  }
}

export function paintCircle({ brush }: PaintContext, x: number, y: number, radius: number): void {
  brush.beginPath();
  brush.roundRect(x - radius, y - radius, 2 * radius, 2 * radius, radius);
  brush.fill();
}

/** Paints an icon, of which the upper left corner is given. */
export function paintIcon(
  painting: PaintContext,
  name: IconKey,
  colour: string,
  x: number,
  y: number,
  size: number,
): void {
  const { brush, marks } = painting;
  const outline = marks.icons?.[name];
  if (!outline) return;
  withTransform(painting, x, y, size / 24);
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.stroke(painting.outline(outline));
  withTransform(painting, 0, 0, 1);
}
