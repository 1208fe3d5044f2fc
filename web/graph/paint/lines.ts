import { contains, curveOf, onCurve, type Point } from "#web/graph/geometry.ts";
import { mark } from "#web/graph/marks.ts";
import {
  type CanvasPort,
  fadedAlpha,
  type PaintContext,
  pixels,
} from "#web/graph/paint/canvas-port.ts";
import type { Scene } from "#web/graph/scene.ts";
import { changeColour, type Level } from "#web/graph/style.ts";
import { cutMiddle, tenths } from "#web/graph/text.ts";

interface Batch {
  lines: number[];
  colour: string;
  /** Pixels of the screen. */
  width: number;
  dashed: boolean;
  alpha: number;
}

/** Lines in one stroke; longer paths take disproportionately long. */
const linesPerStroke = 256;

/** Lines of a path that are drawn wider from far. */
const maxWide = 500;

export const lineDash = [7, 5] as const;

/** All lines that are seen: first the faded, then the plain, then those of a path. */
export function paintLines(painting: PaintContext, level: Level): void {
  for (const batch of batchesOf(painting, level === "far")) {
    if (batch.lines.length > 0) paintBatch(painting, batch, level);
  }
  painting.brush.globalAlpha = 1;
  painting.brush.setLineDash([]);
}

function batchesOf(painting: PaintContext, far: boolean): Batch[] {
  const { scene, marks, theme, area } = painting;
  // Behind its blocks, nobody sees a line that is shorter from far.
  const shortest = pixels(painting, 2);
  const batch = (colour: string, width: number, alpha: number, dashed: boolean): Batch => (
    { lines: [], colour, width, alpha, dashed }
  );
  const both = (colour: string, width: number, alpha: number) =>
    [batch(colour, width, alpha, false), batch(colour, width, alpha, true)] as const;
  const faded = both(theme.line, 1, fadedAlpha);
  const plain = both(theme.line, 1, 1);
  const path = both(theme.accent, 2, 1);
  const separate = new Map<string, Batch>();
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  for (let line = 0; line < scene.lines.length; line++) {
    const at = 4 * line;
    const { lineBounds: b } = scene;
    if (b[at]! > right || b[at + 2]! < area.x || b[at + 1]! > bottom || b[at + 3]! < area.y) {
      continue;
    }
    if (far && b[at + 2]! - b[at]! + b[at + 3]! - b[at + 1]! < shortest) continue;
    const isLit = line === marks.hoverLine || marks.frame?.lines.has(line);
    const bits = isLit ? mark.path : marks.lines[line]!;
    const colour = bits & (mark.path | mark.faded)
      ? undefined
      : changeColour(theme, scene.lines[line]!.since?.change);
    const width = widthOf(scene.lines[line]!.weight);
    if (colour !== undefined || (width > 1 && !(bits & mark.path))) {
      const { reversed, since } = scene.lines[line]!;
      const dashed = colour === undefined ? reversed : since!.change === "removed";
      const alpha = bits & mark.faded ? fadedAlpha : 1;
      const key = `${colour} ${width} ${dashed} ${alpha}`;
      const same = separate.get(key) ??
        batch(colour ?? theme.line, Math.max(width, colour ? 2 : 1), alpha, dashed);
      separate.set(key, same);
      same.lines.push(line);
      continue;
    }
    const of = bits & mark.path ? path : bits & mark.faded ? faded : plain;
    of[scene.lines[line]!.reversed ? 1 : 0].lines.push(line);
  }
  return [...faded, ...plain, ...separate.values(), ...path];
}

/** Pixels of a bundle of so many lines. */
export function widthOf(weight: number): number {
  return Math.min(1 + Math.floor(Math.log10(weight) * 1.5), 6);
}

function paintBatch(painting: PaintContext, batch: Batch, level: Level): void {
  const { brush, scene } = painting;
  brush.strokeStyle = batch.colour;
  brush.globalAlpha = batch.alpha;
  const far = level === "far";
  // Lines of one device pixel are drawn by a far quicker way than wider ones.
  const thin = batch.width < 2 || batch.lines.length > maxWide ? 1 / painting.ratio : 1.5;
  brush.lineWidth = pixels(painting, far ? thin : batch.width);
  brush.setLineDash(batch.dashed && !far ? [...lineDash] : []);
  for (let from = 0; from < batch.lines.length; from += linesPerStroke) {
    brush.beginPath();
    for (const line of batch.lines.slice(from, from + linesPerStroke)) {
      if (far) traceStraight(painting, scene, line);
      else traceCurves(brush, scene.points, 2 * scene.offsets[line]!, 2 * scene.offsets[line + 1]!);
    }
    brush.stroke();
  }
  if (!far) paintArrows(painting, batch);
}

/** Without the points that make no visible difference: those at the height of the one before, but the last of them. */
function traceStraight(painting: PaintContext, { points, offsets }: Scene, line: number): void {
  const { brush } = painting;
  const [start, end] = [2 * offsets[line]!, 2 * offsets[line + 1]! - 2];
  const same = pixels(painting, 1);
  let y = points[start + 1]!;
  let skipped = -1;
  brush.moveTo(points[start]!, y);
  for (let at = start + 2; at <= end; at += 2) {
    if (at < end && Math.abs(points[at + 1]! - y) < same) {
      skipped = at;
      continue;
    }
    if (skipped >= 0) brush.lineTo(points[skipped]!, points[skipped + 1]!);
    skipped = -1;
    y = points[at + 1]!;
    brush.lineTo(points[at]!, y);
  }
}

/** What traces outlines: a canvas, or the path data of a file. */
export type Pen = Pick<CanvasPort, "moveTo" | "lineTo" | "bezierCurveTo" | "closePath">;

export function pathData(trace: (pen: Pen) => void): string {
  let data = "";
  const command = (letter: string) => (...numbers: number[]) => {
    data += letter + numbers.map(tenths).join(" ");
  };
  const [moveTo, lineTo, bezierCurveTo, closePath] = ["M", "L", "C", "z"].map(command);
  trace({ moveTo, lineTo, bezierCurveTo, closePath } as Pen);
  return data;
}

/** The points of a line from `start` to `end` of these numbers, which are x, y, x, y … */
export function traceCurves(
  pen: Pen,
  points: ArrayLike<number>,
  start: number,
  end: number,
): void {
  pen.moveTo(points[start]!, points[start + 1]!);
  for (let at = start + 2; at < end; at += 2) {
    const [x0, y0, x1, y1] = [points[at - 2]!, points[at - 1]!, points[at]!, points[at + 1]!];
    const { c0, c1 } = curveOf(x0, y0, x1, y1);
    if (y0 === y1) pen.lineTo(x1, y1);
    else pen.bezierCurveTo(c0, y0, c1, y1, x1, y1);
  }
}

function paintArrows({ brush, scene, area }: PaintContext, { lines, colour }: Batch): void {
  brush.setLineDash([]);
  brush.fillStyle = colour;
  brush.beginPath();
  for (const line of lines) {
    if (contains(area, tipOf(scene, line))) traceTip(brush, scene, line);
  }
  brush.fill();
}

/** The tip of a line, in lengths of the drawing. */
const arrow = { length: 9, half: 4.5 } as const;

export function traceTip(pen: Pen, scene: Scene, line: number): void {
  const { x, y, dx, dy } = tipOf(scene, line);
  const [baseX, baseY] = [x - dx * arrow.length, y - dy * arrow.length];
  pen.moveTo(x, y);
  pen.lineTo(baseX - dy * arrow.half, baseY - dx * arrow.half);
  pen.lineTo(baseX + dy * arrow.half, baseY + dx * arrow.half);
  pen.closePath();
}

/** Where a line ends, and which way it arrives: along one axis, 1 or -1. */
function tipOf({ points, offsets }: Scene, line: number) {
  const end = 2 * offsets[line + 1]! - 2;
  const [x, y] = [points[end]!, points[end + 1]!];
  if (end < 2 * offsets[line]! + 2) return { x, y, dx: 1, dy: 0 };
  const [fromX, fromY] = [points[end - 2]!, points[end - 1]!];
  return fromX === x
    ? { x, y, dx: 0, dy: Math.sign(y - fromY) }
    : { x, y, dx: Math.sign(x - fromX), dy: 0 };
}

/** The look of a label; in pixels at zoom 1. */
export const labelFont = { size: 11, room: 112, least: 50, height: 18 } as const;

/** Names of the jobs that lines stand for. */
export function paintLabels(painting: PaintContext): void {
  const { brush, scene, area, theme, marks, cutter } = painting;
  const font = `${labelFont.size}px ${theme.font}`;
  brush.font = font;
  brush.textAlign = "center";
  for (const [line, { label, since, jobs }] of scene.lines.entries()) {
    if (label === "") continue;
    const { x, y } = middleOf(scene, line);
    if (!contains(area, { x, y })) continue;
    const measure = (text: string) => brush.measureText(text).width;
    const run = marks.health?.run(jobs);
    // No wider with a run, so that labels stay clear of handles.
    const room = Math.max(labelFont.room - (run ? measure(run.text) : 0), labelFont.least);
    const name = cutter.cut(font, label, room, measure, cutMiddle);
    const text = run ? name + run.text : name;
    const width = measure(text) + 12;
    brush.globalAlpha = marks.lines[line]! & mark.faded ? fadedAlpha : 1;
    brush.fillStyle = theme.background;
    brush.fillRect(x - width / 2, y - labelFont.height / 2, width, labelFont.height);
    brush.fillStyle = marks.lines[line]! & mark.path
      ? theme.accent
      : changeColour(theme, since?.change) ?? (run?.failed ? theme.alert : theme.muted);
    brush.fillText(text, x, y);
  }
  brush.globalAlpha = 1;
  brush.textAlign = "left";
}

/** The point half-way along a line, where its label stands. */
export function middleOf({ points, offsets }: Scene, line: number): Point {
  const [start, end] = [offsets[line]!, offsets[line + 1]!];
  if (end - start < 2) return { x: points[2 * start] ?? 0, y: points[2 * start + 1] ?? 0 };
  const piece = 2 * (start + Math.floor((end - start - 2) / 2));
  const [x0, y0, x1, y1] = points.subarray(piece, piece + 4);
  return (end - start) % 2 === 0 ? onCurve(curveOf(x0!, y0!, x1!, y1!), 0.5) : { x: x1!, y: y1! };
}
