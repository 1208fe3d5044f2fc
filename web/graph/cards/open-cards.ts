import { datasetOf, row } from "#web/graph/cards/content.ts";
import { type ColumnLine, OpenedCards, type SceneRow } from "#web/graph/cards/opened.ts";
import { curveOf, type Point, type Rect } from "#web/graph/geometry.ts";
import { mark, type Marks } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import type { CardHit, Cards } from "#web/graph/scene-parts.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { boxSize, type Level, levelOf, type Theme } from "#web/graph/style.ts";
import { cutText, escaped, estimatedWidth, shown } from "#web/graph/text.ts";

/** Opened cards as a drawing takes them: with how they are painted, and what a click on them means. */
export class OpenCards extends OpenedCards implements Cards {
  at(scene: Scene, box: number, point: Point, zoom: number): CardHit | null {
    const row = levelOf(zoom) === "near" ? this.rowAt(scene, box, point.y) : null;
    return row && (row.column ? { column: row.column.key } : "more");
  }

  boxesOf(column: string | null): ReadonlySet<string> | null {
    const path = this.path(column);
    return path && new Set([...path.columns].map((key) => `e${datasetOf(key)}`));
  }

  paint(painting: PaintContext, boxes: Uint32Array, level: Level): void {
    paintCards(this, painting, boxes, level);
  }

  svg(scene: Scene, theme: Theme, marks: Marks): string {
    return cardsSvg(this, scene, theme, marks);
  }
}

/** Rows of opened cards, and lines between them, for an SVG file. */
function cardsSvg(open: OpenedCards, scene: Scene, theme: Theme, marks: Marks): string {
  const path = open.path(marks.column);
  const lines = open.lines(scene).map((line) => {
    const on = path !== null && line.edges.some((edge) => path.edges.has(edge));
    return lineSvg(line, on ? theme.accent : theme.muted, on ? 1 : path ? fadedAlpha : 0.7, on);
  });
  const rows = scene.boxes.flatMap((_, box) => {
    const own = open.rows(scene, box, marks.column);
    if (own.length === 0) return [];
    const faded = marks.boxes[box]! & mark.faded ? ` opacity="${fadedAlpha}"` : "";
    const rect = rectOf(scene, box);
    return [`<g${faded}>${own.map((one, at) => rowSvg(rect, at, one, theme)).join("")}</g>`];
  });
  return [...lines, ...rows].join("\n");
}

function lineSvg(
  { points, backwards, round }: ColumnLine,
  colour: string,
  opacity: number,
  wide: boolean,
): string {
  let path = `M${short(points[0]!)} ${short(points[1]!)}`;
  if (round) path += `C${points.slice(2).map(short).join(" ")}`;
  for (let at = 2; at < points.length && !round; at += 2) {
    const [x0, y0, x1, y1] = [points[at - 2]!, points[at - 1]!, points[at]!, points[at + 1]!];
    const { c0, c1 } = curveOf(x0, y0, x1, y1);
    path += `C${[c0, y0, c1, y1, x1, y1].map(short).join(" ")}`;
  }
  const dash = backwards ? ` stroke-dasharray="7 5"` : "";
  return `<path d="${path}" stroke="${escaped(colour)}" stroke-width="${
    wide ? 2 : 1
  }" opacity="${opacity}"${dash}/>`;
}

function rowSvg({ x, y, width }: Rect, at: number, of: SceneRow, theme: Theme): string {
  const top = y + boxSize.height + at * row.height;
  const lit = of.emphasis === "chosen" || of.emphasis === "path";
  const ground = lit
    ? `<rect x="${short(x + 7)}" y="${short(top + 1)}" width="${width - 9}" height="${
      row.height - 2
    }" rx="${rowStyle.radius}" fill="${escaped(theme.accent)}" opacity="${
      of.emphasis === "path" ? rowAlpha.path : 1
    }"/>`
    : "";
  const [ink, soft] = of.emphasis === "chosen"
    ? [theme.onAccent, theme.onAccent]
    : [of.column ? theme.text : theme.muted, theme.muted];
  const availableWidth = width - rowStyle.text - rowStyle.right;
  const cut = (text: string, max: number, size: number) =>
    cutText(shown(text), max, (part) => estimatedWidth(part, size));
  const named = estimatedWidth(shown(of.text), rowStyle.name);
  const type = of.type && cut(of.type, widthForType(availableWidth, named), rowStyle.type);
  const left = availableWidth - (type ? estimatedWidth(type, rowStyle.type) + rowStyle.gap : 0);
  const text = (content: string, from: number, size: number, colour: string, end = "") =>
    `<text x="${short(from)}" y="${short(top + row.height / 2)}" dominant-baseline="central" ` +
    `font-size="${size}" fill="${escaped(colour)}"${end}>${escaped(content)}</text>`;
  const opacity = of.emphasis === "aside" ? ` opacity="${rowAlpha.aside}"` : "";
  return `<g${opacity}><title>${escaped(shown(of.text))}</title>${ground}${
    text(cut(of.text, left, rowStyle.name), x + rowStyle.text, rowStyle.name, ink)
  }${
    type && text(type, x + width - rowStyle.right, rowStyle.type, soft, ` text-anchor="end"`)
  }</g>`;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** Where things stand in a row, from its left end, and how large its texts are. */
const rowStyle = {
  text: 16,
  right: 10,
  gap: 8,
  name: 12,
  type: 11,
  tip: 6,
  radius: 4,
} as const;

/** How much is seen of a row that is not on the path of the chosen column, and of the ground of one that is. */
const rowAlpha = { aside: 0.5, path: 0.16 } as const;

/**
 * Rows are drawn where cards are; from further away the path of a chosen column alone, and from far nothing: what nobody
 * can read is left out.
 */
function paintCards(
  open: OpenedCards,
  painting: PaintContext,
  boxes: Uint32Array,
  level: Level,
): void {
  if (level === "far") return;
  const { brush, marks, scene } = painting;
  const path = open.path(marks.column);
  const lines = open.lines(scene);
  const on = (line: ColumnLine) => path !== null && line.edges.some((edge) => path.edges.has(edge));
  if (level === "near") paintLines(painting, lines.filter((line) => !on(line)), path !== null);
  paintLines(painting, lines.filter(on), false, true);
  brush.globalAlpha = 1;
  if (level !== "near") return;
  for (const box of boxes) {
    const rows = open.rows(scene, box, marks.column);
    if (rows.length === 0) continue;
    const faded = (marks.boxes[box]! & mark.faded) !== 0 ? fadedAlpha : 1;
    paintRows(painting, rectOf(scene, box), rows, faded);
  }
  brush.globalAlpha = 1;
}

function paintLines(
  painting: PaintContext,
  lines: readonly ColumnLine[],
  faded: boolean,
  accent = false,
): void {
  const { brush, theme } = painting;
  if (lines.length === 0) return;
  const colour = accent ? theme.accent : theme.muted;
  brush.globalAlpha = accent ? 1 : faded ? fadedAlpha : 0.7;
  brush.strokeStyle = colour;
  brush.lineWidth = pixels(painting, accent ? 2 : 1);
  for (const backwards of [false, true]) {
    brush.setLineDash(backwards ? [7, 5] : []);
    brush.beginPath();
    for (const line of lines) if (line.backwards === backwards) trace(painting, line);
    brush.stroke();
  }
  brush.setLineDash([]);
  brush.fillStyle = colour;
  brush.beginPath();
  for (const { points } of lines) tip(painting, points);
  brush.fill();
}

function trace({ brush }: PaintContext, { points, round }: ColumnLine): void {
  brush.moveTo(points[0]!, points[1]!);
  if (round) {
    const [ax, ay, bx, by, x, y] = points.slice(2) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return brush.bezierCurveTo(ax, ay, bx, by, x, y);
  }
  for (let at = 2; at < points.length; at += 2) {
    const [x0, y0, x1, y1] = [points[at - 2]!, points[at - 1]!, points[at]!, points[at + 1]!];
    const { c0, c1 } = curveOf(x0, y0, x1, y1);
    if (y0 === y1) brush.lineTo(x1, y1);
    else brush.bezierCurveTo(c0, y0, c1, y1, x1, y1);
  }
}

function tip({ brush }: PaintContext, points: readonly number[]): void {
  const [from, x, y] = points.slice(-4).toSpliced(1, 1) as [number, number, number];
  const back = x - Math.sign(x - from) * rowStyle.tip;
  brush.moveTo(x, y);
  brush.lineTo(back, y - rowStyle.tip / 2);
  brush.lineTo(back, y + rowStyle.tip / 2);
  brush.closePath();
}

function paintRows(
  painting: PaintContext,
  rect: Rect,
  rows: readonly SceneRow[],
  alpha: number,
): void {
  const { brush, theme } = painting;
  brush.globalAlpha = alpha;
  brush.fillStyle = theme.border;
  brush.fillRect(rect.x + 5, rect.y + boxSize.height - 1, rect.width - 5, 1);
  for (const [at, one] of rows.entries()) {
    const y = rect.y + boxSize.height + at * row.height;
    paintRow(painting, { ...rect, y, height: row.height }, one, alpha);
  }
}

function paintRow(painting: PaintContext, rect: Rect, of: SceneRow, alpha: number): void {
  const { brush, theme, cutter } = painting;
  const { x, y, width, height } = rect;
  if (of.emphasis === "chosen" || of.emphasis === "path") {
    brush.globalAlpha = of.emphasis === "path" ? alpha * rowAlpha.path : alpha;
    brush.fillStyle = theme.accent;
    brush.beginPath();
    brush.roundRect(x + 7, y + 1, width - 9, height - 2, rowStyle.radius);
    brush.fill();
  }
  brush.globalAlpha = of.emphasis === "aside" ? alpha * rowAlpha.aside : alpha;
  const middle = y + height / 2;
  const [ink, soft] = of.emphasis === "chosen"
    ? [theme.onAccent, theme.onAccent]
    : [of.column ? theme.text : theme.muted, theme.muted];
  const font = `${rowStyle.name}px ${theme.font}`;
  brush.font = font;
  const text = shown(of.text);
  const named = brush.measureText(text).width;
  const typeFont = `${rowStyle.type}px ${theme.font}`;
  const availableWidth = width - rowStyle.text - rowStyle.right;
  brush.font = typeFont;
  const measure = (text: string) => brush.measureText(text).width;
  const type = of.type &&
    cutter.cut(typeFont, shown(of.type), widthForType(availableWidth, named), measure);
  const typeWidth = type ? measure(type) + rowStyle.gap : 0;
  brush.fillStyle = soft;
  if (type) brush.fillText(type, x + width - rowStyle.right - typeWidth + rowStyle.gap, middle);
  brush.font = font;
  brush.fillStyle = ink;
  const name = cutter.cut(font, text, availableWidth - typeWidth, measure);
  brush.fillText(name, x + rowStyle.text, middle);
}

/** How much of a row its type gets: what the name leaves, and a part of it in any case. */
function widthForType(availableWidth: number, name: number): number {
  return Math.max(availableWidth * 0.4, availableWidth - name - rowStyle.gap);
}
