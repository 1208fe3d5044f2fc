import type { CardHit, Cards } from "#web/graph/cards.ts";
import { datasetOf } from "#web/graph/cards/keys.ts";
import { OpenedCards, type SceneRow } from "#web/graph/cards/opened.ts";
import { paintCards, rowAlpha, rowStyle, widthForType } from "#web/graph/cards/paint.ts";
import { curveOf, type Point, type Rect } from "#web/graph/geometry.ts";
import { mark, type Marks } from "#web/graph/marks.ts";
import { fadedAlpha, type PaintContext } from "#web/graph/paint/canvas-port.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { boxSize, type Level, levelOf, type Theme } from "#web/graph/style.ts";
import type { ColumnLine } from "#web/graph/cards/lines.ts";
import { row } from "#web/graph/cards/rows.ts";
import { cutText, escaped, estimatedWidth } from "#web/graph/paint/text.ts";
import { shown } from "#web/graph/shown.ts";

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
