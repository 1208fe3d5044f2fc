import { cardsOf } from "#web/graph/scene-parts.ts";
import { boxSvg, frameSvg, opacityOf } from "#web/graph/export/box-svg.ts";
import { type Caption, captionSvg, withCaption } from "#web/graph/export/caption.ts";
import { grown, type Rect } from "#web/graph/geometry.ts";
import { iconPaths } from "#web/graph/icon-paths.ts";
import {
  labelFont,
  lineDash,
  middleOf,
  pathData,
  traceCurves,
  traceTip,
  widthOf,
} from "#web/graph/paint/lines.ts";
import { mark, type Marks, noMarks } from "#web/graph/marks.ts";
import { iconOfMark, marksOf } from "#web/graph/paint/card.ts";
import {
  cutMiddle,
  element,
  estimatedWidth,
  inTenths,
  shown,
  textElement,
  titleElement,
} from "#web/graph/text.ts";
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
  const lines = [...scene.lines.keys()].filter((index) => {
    const [left, top, right, bottom] = scene.lineBounds.subarray(4 * index, 4 * index + 4);
    return meets({ x: left!, y: top!, width: right! - left!, height: bottom! - top! }, area);
  });
  const page = withCaption(area, options.caption);
  const rect = inTenths(page);
  const content = [
    titleElement(shown(options.title ?? "Lineage")),
    symbolsOf(scene, boxes, marks),
    element("rect", { ...rect, fill: theme.background }),
    ...scene.frames.filter(({ rect }) => meets(rect, area)).map((frame) => frameSvg(frame, theme)),
    ...lines.map((line) => lineSvg(scene, theme, marks, line)),
    ...boxes.map((box) => boxSvg(scene, theme, marks, box)),
    cardsOf(scene)?.svg(scene, theme, marks) ?? "",
    ...lines.filter((line) => scene.lines[line]!.label !== "")
      .map((line) => labelSvg(scene, theme, marks, line)),
    options.caption ? captionSvg(options.caption, page, theme) : "",
  ];
  const { width, height } = rect;
  const viewBox = Object.values(rect).join(" ");
  const attributes = { viewBox, width, height, "font-family": theme.font, fill: "none" };
  const svg = { xmlns: "http://www.w3.org/2000/svg", ...attributes };
  return `${element("svg", svg, content.join("\n"))}\n`;
}

function meets(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height &&
    b.y <= a.y + a.height;
}

function symbolsOf(scene: Scene, boxes: number[], marks: Marks): string {
  const used = new Set(boxes.flatMap((index) => {
    const box = scene.boxes[index]!;
    return [box.icon, ...marksOf(box, marks.health).map(iconOfMark)];
  }));
  const symbols = [...used].sort().map((icon) =>
    element(
      "symbol",
      { id: `i-${icon}`, viewBox: "0 0 24 24" },
      element("path", { d: iconPaths[icon] }),
    )
  );
  return element("defs", {}, symbols.join(""));
}

function lineSvg(scene: Scene, theme: Theme, marks: Marks, line: number): string {
  const { points, offsets } = scene;
  const { reversed, since, weight } = scene.lines[line]!;
  const bits = marks.lines[line]!;
  const changed = changeColour(theme, since?.change);
  const colour = bits & mark.path ? theme.accent : changed ?? theme.line;
  const isDashed = changed ? since!.change === "removed" : reversed;
  const path = {
    d: pathData((pen) => traceCurves(pen, points, 2 * offsets[line]!, 2 * offsets[line + 1]!)),
    stroke: colour,
    "stroke-width": bits & mark.path || changed ? 2 : Math.max(widthOf(weight), 1.25),
    "stroke-dasharray": isDashed ? lineDash.join(" ") : undefined,
  };
  const tip = { d: pathData((pen) => traceTip(pen, scene, line)), fill: colour };
  return element("g", { opacity: opacityOf(bits) }, element("path", path) + element("path", tip));
}

function labelSvg(scene: Scene, theme: Theme, marks: Marks, line: number): string {
  const { x, y } = middleOf(scene, line);
  const { size, height, least } = labelFont;
  const { label, jobs, since } = scene.lines[line]!;
  const measure = (part: string) => estimatedWidth(part, size);
  const run = marks.health?.run(jobs);
  const room = Math.max(labelFont.room - (run ? measure(run.text) : 0), least);
  const cut = cutMiddle(label, room, measure) + (run?.text ?? "");
  const width = measure(cut) + 12;
  const ground = inTenths({ x: x - width / 2, y: y - height / 2, width, height });
  const colour = changeColour(theme, since?.change) ?? (run?.failed ? theme.alert : theme.muted);
  const content = titleElement(label) + element("rect", { ...ground, fill: theme.background }) +
    textElement(cut, { x, y, size }, colour, { "text-anchor": "middle" });
  return element("g", {}, content);
}
