import { encode } from "fast-png";
import { escapeHtml } from "#services/api/search/words.ts";
import {
  type BadgeDrawing,
  type Rgb,
  scale,
} from "#services/api/features/quality/badge/drawing.ts";

/** A drawing as PNG. */
export function pngOf({ width, height, rectangles }: BadgeDrawing): Uint8Array {
  const [columns, rows] = [width * scale, height * scale];
  const data = new Uint8Array(columns * rows * 3);
  for (const { x, y, width, height, fill } of rectangles) {
    for (let row = y * scale; row < (y + height) * scale; row++) {
      for (let column = x * scale; column < (x + width) * scale; column++) {
        data.set(fill, (row * columns + column) * 3);
      }
    }
  }
  return encode({ width: columns, height: rows, data, depth: 8, channels: 3 });
}

/** A drawing as SVG: without a script, a style, or anything that would be loaded. */
export function svgOf({ label, width, height, rectangles }: BadgeDrawing): string {
  const shapes = rectangles.map(({ x, y, width, height, fill }) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${hex(fill)}"/>`
  );
  const text = escapeHtml(label);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" ` +
    `height="${height * scale}" viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges" ` +
    `role="img" aria-label="${text}"><title>${text}</title>${shapes.join("")}</svg>\n`;
}

const hex = (fill: Rgb) => `#${fill.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
