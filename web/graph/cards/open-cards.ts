import { type ColumnPath, datasetOf, rowLengths } from "#web/graph/cards/content.ts";
import { type ColumnLine, OpenedCards, type SceneRow } from "#web/graph/cards/opened.ts";
import type { Point, Rect } from "#web/graph/geometry.ts";
import { mark, type Marks } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext, pixels } from "#web/graph/paint/canvas-port.ts";
import { lineDash, pathData, type Pen, traceCurves } from "#web/graph/paint/lines.ts";
import type { CardHit, Cards } from "#web/graph/scene-parts.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { boxSize, type Level, levelOf, type Theme } from "#web/graph/style.ts";
import {
  cutText,
  element,
  estimatedWidth,
  inTenths,
  shown,
  textElement,
  titleElement,
} from "#web/graph/text.ts";

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

  /**
   * Rows are drawn where cards are; from further away the path of a chosen column alone, and from far nothing: what
   * nobody can read is left out.
   */
  paint(painting: PaintContext, boxes: Uint32Array, level: Level): void {
    if (level === "far") return;
    const { brush, marks, scene } = painting;
    const path = this.path(marks.column);
    const { on = [], off = [] } = Object.groupBy(
      this.lines(scene),
      (line) => isOnPath(line, path) ? "on" : "off",
    );
    if (level === "near") paintColumnLines(painting, off, path !== null);
    paintColumnLines(painting, on, false, true);
    brush.globalAlpha = 1;
    if (level !== "near") return;
    for (const box of boxes) {
      const rows = this.rows(scene, box, marks.column);
      if (rows.length === 0) continue;
      const alpha = marks.boxes[box]! & mark.faded ? fadedAlpha : 1;
      paintCardRows(painting, rectOf(scene, box), rows, alpha);
    }
    brush.globalAlpha = 1;
  }

  svg(scene: Scene, theme: Theme, marks: Marks): string {
    const path = this.path(marks.column);
    const lines = this.lines(scene).map((line) => {
      const accent = isOnPath(line, path);
      return element("path", {
        d: pathData((pen) => traceLine(pen, line)),
        stroke: accent ? theme.accent : theme.muted,
        "stroke-width": accent ? 2 : 1,
        opacity: accent ? 1 : path ? fadedAlpha : lineAlpha,
        "stroke-dasharray": line.backwards ? lineDash.join(" ") : undefined,
      });
    });
    const cards = scene.boxes.flatMap((_, box) => {
      const rows = this.rows(scene, box, marks.column);
      if (rows.length === 0) return [];
      const opacity = marks.boxes[box]! & mark.faded ? fadedAlpha : undefined;
      const rect = rectOf(scene, box);
      const content = rows.map((row, at) => rowSvg(rowRect(rect, at), row, theme));
      return element("g", { opacity }, content.join(""));
    });
    return [...lines, ...cards].join("\n");
  }
}

function isOnPath({ edges }: ColumnLine, path: ColumnPath | null): boolean {
  return path !== null && edges.some((edge) => path.edges.has(edge));
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

/** How much is seen of a line where no column is chosen. */
const lineAlpha = 0.7;

function textColours({ emphasis, column }: SceneRow, theme: Theme): [name: string, type: string] {
  if (emphasis === "chosen") return [theme.onAccent, theme.onAccent];
  return [column ? theme.text : theme.muted, theme.muted];
}

function paintColumnLines(
  painting: PaintContext,
  lines: readonly ColumnLine[],
  faded: boolean,
  accent = false,
): void {
  const { brush, theme } = painting;
  if (lines.length === 0) return;
  const colour = accent ? theme.accent : theme.muted;
  brush.globalAlpha = accent ? 1 : faded ? fadedAlpha : lineAlpha;
  brush.strokeStyle = colour;
  brush.lineWidth = pixels(painting, accent ? 2 : 1);
  for (const backwards of [false, true]) {
    brush.setLineDash(backwards ? [...lineDash] : []);
    brush.beginPath();
    for (const line of lines) if (line.backwards === backwards) traceLine(brush, line);
    brush.stroke();
  }
  brush.setLineDash([]);
  brush.fillStyle = colour;
  brush.beginPath();
  for (const { points } of lines) traceTip(brush, points);
  brush.fill();
}

function traceLine(pen: Pen, { points, round }: ColumnLine): void {
  if (!round) return traceCurves(pen, points, 0, points.length);
  const [startX, startY, ax, ay, bx, by, x, y] = points;
  pen.moveTo(startX!, startY!);
  pen.bezierCurveTo(ax!, ay!, bx!, by!, x!, y!);
}

function traceTip(pen: Pen, points: readonly number[]): void {
  const [from, x, y] = points.slice(-4).toSpliced(1, 1) as [number, number, number];
  const back = x - Math.sign(x - from) * rowStyle.tip;
  pen.moveTo(x, y);
  pen.lineTo(back, y - rowStyle.tip / 2);
  pen.lineTo(back, y + rowStyle.tip / 2);
  pen.closePath();
}

function rowRect(card: Rect, at: number): Rect {
  const { height } = rowLengths;
  return { ...card, y: card.y + boxSize.height + at * height, height };
}

function paintCardRows(
  painting: PaintContext,
  rect: Rect,
  rows: readonly SceneRow[],
  alpha: number,
): void {
  const { brush, theme } = painting;
  brush.globalAlpha = alpha;
  brush.fillStyle = theme.border;
  brush.fillRect(rect.x + 5, rect.y + boxSize.height - 1, rect.width - 5, 1);
  for (const [at, one] of rows.entries()) paintRow(painting, rowRect(rect, at), one, alpha);
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
  const [nameColour, typeColour] = textColours(of, theme);
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
  brush.fillStyle = typeColour;
  if (type) brush.fillText(type, x + width - rowStyle.right - typeWidth + rowStyle.gap, middle);
  brush.font = font;
  brush.fillStyle = nameColour;
  const name = cutter.cut(font, text, availableWidth - typeWidth, measure);
  brush.fillText(name, x + rowStyle.text, middle);
}

function rowSvg({ x, y, width, height }: Rect, of: SceneRow, theme: Theme): string {
  const lit = of.emphasis === "chosen" || of.emphasis === "path";
  const ground = inTenths({ x: x + 7, y: y + 1, width: width - 9, height: height - 2 });
  const look = { ...ground, rx: rowStyle.radius, fill: theme.accent };
  const [nameColour, typeColour] = textColours(of, theme);
  const availableWidth = width - rowStyle.text - rowStyle.right;
  const cut = (text: string, max: number, size: number) =>
    cutText(shown(text), max, (part) => estimatedWidth(part, size));
  const named = estimatedWidth(shown(of.text), rowStyle.name);
  const type = of.type && cut(of.type, widthForType(availableWidth, named), rowStyle.type);
  const left = availableWidth - (type ? estimatedWidth(type, rowStyle.type) + rowStyle.gap : 0);
  const name = cut(of.text, left, rowStyle.name);
  const middle = y + height / 2;
  const nameAt = { x: x + rowStyle.text, y: middle, size: rowStyle.name };
  const typeAt = { x: x + width - rowStyle.right, y: middle, size: rowStyle.type };
  const content = [
    titleElement(shown(of.text)),
    lit && element("rect", { ...look, opacity: of.emphasis === "path" ? rowAlpha.path : 1 }),
    textElement(name, nameAt, nameColour),
    type && textElement(type, typeAt, typeColour, { "text-anchor": "end" }),
  ].filter(Boolean).join("");
  return element("g", { opacity: of.emphasis === "aside" ? rowAlpha.aside : undefined }, content);
}

/** How much of a row its type gets: what the name leaves, and a part of it in any case. */
function widthForType(availableWidth: number, name: number): number {
  return Math.max(availableWidth * 0.4, availableWidth - name - rowStyle.gap);
}
