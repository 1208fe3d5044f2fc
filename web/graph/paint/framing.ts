import { clampTo, overlaps } from "#web/graph/geometry.ts";
import type { Marks } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import {
  card,
  freshnessColour,
  marksOf,
  paintCircle,
  paintIcon,
  paintMarks,
  stripeColour,
} from "#web/graph/paint/card.ts";
import { rectOf, type SceneBox } from "#web/graph/scene.ts";
import { type Level, levelOf } from "#web/graph/style.ts";
import { cutMiddle } from "#web/graph/text.ts";

/** The look of a frame, in lengths of the drawing; from further away its name is larger, up to `largest`. */
export const frameLook = {
  radius: 8,
  size: 11,
  largest: 18,
  inset: 10,
  line: 14,
  fill: 0.05,
} as const;

/** Outlines of groups with their names, below lines and boxes. */
export function paintFrames(painting: PaintContext, level: Level): void {
  const { brush, scene, theme, area, marks } = painting;
  const frames = scene.frames.filter(({ rect }) => overlaps(rect, area));
  if (frames.length === 0) return;
  brush.setLineDash([]);
  for (const frame of frames) {
    const { rect } = frame;
    const isLit = scene.frames[marks.frame?.index ?? -1] === frame;
    brush.strokeStyle = isLit ? theme.accent : theme.border;
    brush.lineWidth = Math.max(1, pixels(painting, isLit ? 2 : 1));
    brush.beginPath();
    brush.roundRect(rect.x, rect.y, rect.width, rect.height, frameLook.radius);
    brush.globalAlpha = frameLook.fill;
    brush.fillStyle = theme.muted;
    brush.fill();
    brush.globalAlpha = 1 - fadedAlpha;
    brush.stroke();
  }
  brush.globalAlpha = 1;
  if (level === "far") return;
  const { size, largest } = frameLook;
  const font = `600 ${clampTo(pixels(painting, size), size, largest)}px ${theme.font}`;
  brush.font = font;
  brush.fillStyle = theme.muted;
  brush.textBaseline = "middle";
  brush.textAlign = "left";
  for (const { name, rect } of frames) {
    const width = rect.width - 2 * frameLook.inset;
    const text = painting.cutter.cut(font, name, width, (t) => brush.measureText(t).width);
    brush.fillText(text, rect.x + frameLook.inset, rect.y + frameLook.line);
  }
}

/** The look of a row, in lengths of the drawing; from further away its name is larger, up to `largest`. */
export const rowLook = {
  text: 12,
  right: 8,
  size: 13,
  largest: 19,
  mark: { size: 14, gap: 4 },
} as const;

/** Where the name of a line begins; before that of a job is its icon. */
export function nameLeft({ form }: SceneBox): number {
  return form === "tile" ? card.text.x : rowLook.text;
}

/** Names of boxes that are one line, with what there is to see of each at its right end. */
export function paintRows(painting: PaintContext, boxes: number[]): void {
  const { brush, scene, theme, marks } = painting;
  const readable = Math.round(clampTo(pixels(painting, 12), rowLook.size, rowLook.largest));
  const isNear = levelOf(painting.view.zoom) === "near";
  brush.fillStyle = theme.text;
  for (const index of boxes) {
    const { x, y, width, height } = rectOf(scene, index);
    const box = scene.boxes[index]!;
    // Tiles are among cards, whose names are smaller near by.
    const size = box.form === "tile" && isNear ? rowLook.size : readable;
    const font = `${size}px ${theme.font}`;
    brush.font = font;
    const left = nameLeft(box);
    const available = width - left - rowLook.right - roomOfMarks(box, marks);
    const measure = (part: string) => brush.measureText(part).width;
    const text = painting.cutter.cut(font, box.label, available, measure, cutMiddle);
    const middle = y + height / 2;
    brush.fillText(text, x + left, middle);
    if (box.deleted) brush.fillRect(x + left, middle - 0.75, measure(text), 1.5);
  }
  for (const index of boxes) paintRowMarks(painting, index);
}

/** What the marks of a row take of it. */
export function roomOfMarks(box: SceneBox, { health }: Marks): number {
  const { size, gap } = rowLook.mark;
  const dot = health?.find(box)?.freshness ? 2 * card.dot.radius + gap : 0;
  return marksOf(box, health).length * (size + gap) + dot;
}

function paintRowMarks(painting: PaintContext, index: number): void {
  const { brush, scene, theme, marks } = painting;
  const { x, y, width, height } = rectOf(scene, index);
  const box = scene.boxes[index]!;
  const middle = y + height / 2;
  if (box.form === "tile") {
    const { x: left, size } = card.icon;
    const colour = stripeColour(theme, marks, box);
    paintIcon(painting, box.icon, colour, x + left, middle - size / 2, size);
  }
  let right = x + width - rowLook.right;
  const freshness = marks.health?.find(box)?.freshness;
  if (freshness) {
    const { radius } = card.dot;
    brush.fillStyle = freshnessColour(theme, freshness);
    paintCircle(painting, right - radius, middle, radius);
    right -= 2 * radius + rowLook.mark.gap;
  }
  paintMarks(painting, box, { x: right, y: middle }, rowLook.mark);
}
