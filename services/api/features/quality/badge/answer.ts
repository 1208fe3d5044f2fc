import { createHash } from "node:crypto";
import { encode } from "fast-png";
import type { Reply } from "#platform/operations/reply.ts";
import {
  type Badge,
  type BadgeDrawing,
  drawBadge,
  type Rgb,
  scale,
} from "#services/api/features/quality/badge/drawing.ts";
import { escapeHtml } from "#services/api/search/words.ts";

export const badgeFormats = ["png", "svg"] as const;
export type BadgeFormat = (typeof badgeFormats)[number];

/** Seconds for which a browser may show a badge without asking again. */
const maxAge = 60;

/**
 * The answer with a badge: 304 when the client has it already. Without a requested format, it is PNG
 * unless the client would rather have SVG.
 */
export function badgeReply(
  badge: Badge,
  requested: BadgeFormat | undefined,
  headers: Headers,
): Reply {
  const format = requested ?? (prefersSvg(headers.get("accept")) ? "svg" : "png");
  const drawing = drawBadge(badge);
  const content = format === "svg" ? svgOf(drawing) : pngOf(drawing);
  const etag = `"${createHash("sha256").update(content).digest("hex").slice(0, 32)}"`;
  const cacheHeaders = { etag, "cache-control": `private, max-age=${maxAge}`, vary: "Accept" };
  if (isCached(headers.get("if-none-match"), etag)) return { status: 304, headers: cacheHeaders };
  return {
    status: 200,
    headers: format === "svg"
      ? { ...cacheHeaders, "content-security-policy": inert }
      : cacheHeaders,
    raw: { content, contentType: format === "svg" ? "image/svg+xml" : "image/png" },
  };
}

/** A picture that is opened by itself is a document: it may do nothing and load nothing. */
const inert = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Whether a list of entity tags holds this one, weak or not. */
function isCached(list: string | null, etag: string): boolean {
  const tags = (list ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

/** Whether an `Accept` header ranks SVG above PNG; that of an `img` element of a browser does not. */
export function prefersSvg(accept: string | null): boolean {
  if (accept === null) return false;
  const ranges = accept.split(",").map(rangeOf);
  return qualityOf("image/svg+xml", ranges) > qualityOf("image/png", ranges);
}

interface Range {
  type: string;
  quality: number;
}

function rangeOf(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}

/** The quality of the narrowest range that names a type; 0 when none does. */
function qualityOf(type: string, ranges: Range[]): number {
  for (const name of [type, "image/*", "*/*"]) {
    const range = ranges.find((one) => one.type === name);
    if (range) return range.quality;
  }
  return 0;
}

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
