import { cardsOf } from "#web/graph/scene-parts.ts";
import { boxSvg, frameSvg, opacity } from "#web/graph/export/box-svg.ts";
import { type Caption, captionSvg, withCaption } from "#web/graph/export/caption.ts";
import { curveOf, grown, type Rect } from "#web/graph/geometry.ts";
import { iconPaths } from "#web/graph/icon-paths.ts";
import type { IconKey } from "#web/graph/icons.ts";
import { arrow, labelFont, middleOf, tipOf, widthOf } from "#web/graph/paint/lines.ts";
import { mark, type Marks, noMarks } from "#web/graph/marks.ts";
import { iconOfMark, marksOf } from "#web/graph/paint/card.ts";
import { cutMiddle, escaped, estimatedWidth, shown, tenths } from "#web/graph/text.ts";
import { rectOf, type Scene } from "#web/graph/scene.ts";
import { changeColour, type Theme } from "#web/graph/style.ts";

interface SvgOptions {
  /** Part of the drawing; all of it by default. */
  area?: Rect;
  marks?: Marks;
  title?: string;
  /** Above the drawing; none by default. */
  caption?: Caption;
}

const margin = 48;

/**
 * A scene as an SVG file that needs nothing else: colours and outlines are in it, names are text, the whole of a name
 * that was cut is its tooltip. What lies outside the area is left out.
 */
export function sceneSvg(scene: Scene, theme: Theme, options: SvgOptions = {}): string {
  const area = options.area ?? grown(scene.bounds, margin);
  const marks = options.marks ?? noMarks(scene);
  const boxes = [...scene.order].filter((index) => meets(rectOf(scene, index), area));
  const lines = scene.lines.map((_, index) => index).filter((index) => {
    const [left, top, right, bottom] = scene.lineBounds.subarray(4 * index, 4 * index + 4);
    return meets({ x: left!, y: top!, width: right! - left!, height: bottom! - top! }, area);
  });
  const page = withCaption(area, options.caption);
  const [x, y, width, height] = [page.x, page.y, page.width, page.height].map(tenths);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="${escaped(theme.font)}" fill="none">`,
    `<title>${escaped(shown(options.title ?? "Lineage"))}</title>`,
    symbolsOf(scene, boxes, marks),
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${
      escaped(theme.background)
    }"/>`,
    ...scene.frames.filter(({ rect }) => meets(rect, area)).map((frame) => frameSvg(frame, theme)),
    ...lines.map((line) => lineSvg(scene, theme, marks, line)),
    ...boxes.map((box) => boxSvg(scene, theme, marks, box)),
    cardsOf(scene)?.svg(scene, theme, marks) ?? "",
    ...lines.filter((line) => scene.lines[line]!.label !== "")
      .map((line) => labelSvg(scene, theme, marks, line)),
    options.caption ? captionSvg(options.caption, page, theme) : "",
    "</svg>",
    "",
  ].join("\n");
}

function meets(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height &&
    b.y <= a.y + a.height;
}

function symbolsOf(scene: Scene, boxes: number[], marks: Marks): string {
  const used = new Set<IconKey>();
  for (const box of boxes) {
    const own = marksOf(scene.boxes[box]!, marks.health).map(iconOfMark);
    for (const icon of [scene.boxes[box]!.icon, ...own]) used.add(icon);
  }
  const symbols = [...used].sort().map((icon) =>
    `<symbol id="i-${icon}" viewBox="0 0 24 24"><path d="${iconPaths[icon]}"/></symbol>`
  );
  return `<defs>${symbols.join("")}</defs>`;
}

function lineSvg(scene: Scene, theme: Theme, marks: Marks, line: number): string {
  const { points, offsets } = scene;
  const at = (index: number) => [points[2 * index]!, points[2 * index + 1]!] as const;
  const [start, end] = [offsets[line]!, offsets[line + 1]!];
  let path = `M${at(start).map(tenths).join(" ")}`;
  for (let index = start + 1; index < end; index++) {
    const { c0, c1, y0, x1, y1 } = curveOf(...at(index - 1), ...at(index));
    path += `C${[c0, y0, c1, y1, x1, y1].map(tenths).join(" ")}`;
  }
  const { x, y, dx, dy } = tipOf(scene, line);
  const [baseX, baseY] = [x - dx * arrow.length, y - dy * arrow.length];
  const [acrossX, acrossY] = [dy * arrow.half, dx * arrow.half];
  const corners = [x, y, baseX - acrossX, baseY - acrossY, baseX + acrossX, baseY + acrossY];
  const tip = `M${corners.map(tenths).join(" ")}z`;
  const bits = marks.lines[line]!;
  const changed = changeColour(theme, scene.lines[line]!.since?.change);
  const colour = escaped(bits & mark.path ? theme.accent : changed ?? theme.line);
  const { reversed, since } = scene.lines[line]!;
  const isDashed = changed ? since!.change === "removed" : reversed;
  const dash = isDashed ? ` stroke-dasharray="7 5"` : "";
  return `<g${opacity(bits)}><path d="${path}" stroke="${colour}" stroke-width="${
    bits & mark.path || changed ? 2 : Math.max(widthOf(scene.lines[line]!.weight), 1.25)
  }"${dash}/><path d="${tip}" fill="${colour}"/></g>`;
}

function labelSvg(scene: Scene, theme: Theme, marks: Marks, line: number): string {
  const { x, y } = middleOf(scene, line);
  const measure = (part: string) => estimatedWidth(part, labelFont.size);
  const run = marks.health?.run(scene.lines[line]!.jobs);
  const room = Math.max(labelFont.room - (run ? measure(run.text) : 0), labelFont.least);
  const cut = cutMiddle(scene.lines[line]!.label, room, measure) + (run?.text ?? "");
  const width = measure(cut) + 12;
  return `<g><title>${escaped(scene.lines[line]!.label)}</title>` +
    `<rect x="${tenths(x - width / 2)}" y="${tenths(y - labelFont.height / 2)}" width="${
      tenths(width)
    }" ` +
    `height="${labelFont.height}" fill="${escaped(theme.background)}"/>` +
    `<text x="${tenths(x)}" y="${tenths(y)}" dominant-baseline="central" text-anchor="middle" ` +
    `font-size="${labelFont.size}" fill="${
      escaped(
        changeColour(theme, scene.lines[line]!.since?.change) ??
          (run?.failed ? theme.alert : theme.muted),
      )
    }">${escaped(cut)}</text></g>`;
}
