import type { LegendEntry } from "#web/graph/colours.ts";
import type { Rect } from "#web/graph/geometry.ts";
import type { CanvasPort } from "#web/graph/paint/canvas-port.ts";
import { cutText, element, estimatedWidth, inTenths, shown, textElement } from "#web/graph/text.ts";
import type { Theme } from "#web/graph/style.ts";

export interface Caption {
  title: string;
  /** When the drawing was made, and what its colours mean in general. */
  subtitle: string;
  legend: readonly LegendEntry[];
}

/** Height of the band above a drawing, in lengths of it. */
const height = 84;
const inset = 24;
const swatch = 12;
const sizes = { title: 20, subtitle: 13, legend: 12 } as const;

/** An area with the band of a caption above it; as it was when there is none. */
export function withCaption(area: Rect, caption: Caption | undefined): Rect {
  if (!caption) return area;
  return { ...area, y: area.y - height, height: area.height + height };
}

interface Mark {
  x: number;
  y: number;
  size: number;
  colour: string;
  /** A square of the colour when it is missing. */
  text?: string;
  isBold?: boolean;
}

/** Texts and squares of a caption at the top of an area that `withCaption` gave; what has no room is left out. */
function marksOf({ title, subtitle, legend }: Caption, area: Rect, theme: Theme): Mark[] {
  const x = area.x + inset;
  const line = (size: number, y: number, text: string, colour: string): Mark => {
    const measure = (part: string) => estimatedWidth(part, size);
    const cut = cutText(shown(text), area.width - 2 * inset, measure);
    return { x, y: area.y + y, size, colour, text: cut };
  };
  const marks: Mark[] = [
    { ...line(sizes.title, 26, title, theme.text), isBold: true },
    line(sizes.subtitle, 48, subtitle, theme.muted),
  ];
  let at = x;
  for (const { label, colour } of legend) {
    const text = shown(label);
    const width = swatch + 6 + estimatedWidth(text, sizes.legend) + 18;
    if (at + width > area.x + area.width - inset) break;
    const y = area.y + 68;
    marks.push({ x: at, y, size: swatch, colour });
    marks.push({ x: at + swatch + 6, y, size: sizes.legend, colour: theme.text, text });
    at += width;
  }
  return marks;
}

export function captionSvg(caption: Caption, area: Rect, theme: Theme): string {
  return marksOf(caption, area, theme).map(({ colour, text, isBold, ...at }) => {
    if (text !== undefined) {
      return textElement(text, at, colour, { "font-weight": isBold ? 600 : undefined });
    }
    const square = { x: at.x, y: at.y - at.size / 2, width: at.size, height: at.size };
    return element("rect", { ...inTenths(square), rx: 2, fill: colour });
  }).join("\n");
}

/** Paints a caption; `left` and `top` are where the canvas begins in pixels of the picture, `scale` its pixels per length. */
export function paintCaption(
  brush: CanvasPort,
  { caption, area, theme }: { caption: Caption; area: Rect; theme: Theme },
  { left, top, scale }: { left: number; top: number; scale: number },
): void {
  brush.setTransform(scale, 0, 0, scale, -area.x * scale - left, -area.y * scale - top);
  brush.textAlign = "left";
  brush.textBaseline = "middle";
  for (const { x, y, size, colour, text, isBold } of marksOf(caption, area, theme)) {
    brush.fillStyle = colour;
    if (text === undefined) brush.fillRect(x, y - size / 2, size, size);
    else {
      brush.font = `${isBold ? "600 " : ""}${size}px ${theme.font}`;
      brush.fillText(text, x, y);
    }
  }
  brush.setTransform(1, 0, 0, 1, 0, 0);
}
