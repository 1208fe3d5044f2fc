import { createHash } from "node:crypto";
import type { SLAColour } from "#contract/catalogue/quality.ts";
import type { Reply } from "#platform/operations/declare.ts";
import { escapeHtml } from "#services/api/search/words.ts";

export const badgeFormats = ["png", "svg"] as const;
export type BadgeFormat = (typeof badgeFormats)[number];

/** Seconds for which a browser may show a badge without asking again. */
const maxAge = 60;

/**
 * The answer with a badge: 304 when the client has it already. Without a requested format, it is PNG
 * unless the client would rather have SVG.
 */
export async function badgeReply(
  badge: Badge,
  requested: BadgeFormat | undefined,
  headers: Headers,
): Promise<Reply> {
  const format = requested ?? (prefersSvg(headers.get("accept")) ? "svg" : "png");
  const drawing = drawBadge(badge);
  const content = format === "svg" ? svgOf(drawing) : await pngOf(drawing);
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
export async function pngOf(
  { width, height, rectangles }: BadgeDrawing,
): Promise<Uint8Array> {
  const [columns, rows] = [width * scale, height * scale];
  const data = new Uint8Array(columns * rows * 3);
  for (const { x, y, width, height, fill } of rectangles) {
    for (let row = y * scale; row < (y + height) * scale; row++) {
      for (let column = x * scale; column < (x + width) * scale; column++) {
        data.set(fill, (row * columns + column) * 3);
      }
    }
  }
  const { encode } = await import("fast-png");
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

/** Content of a badge. */
interface Badge {
  colour: SLAColour;
  /** Number of evaluated tests, and of those that succeeded. */
  total: number;
  success: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** A filled rectangle, in units. */
interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  fill: Rgb;
}

/** A picture, drawn in the order of its rectangles; the first covers all of it. */
interface BadgeDrawing {
  /** In words, for who cannot see it. */
  label: string;
  /** In units. */
  width: number;
  height: number;
  rectangles: Rectangle[];
}

/** Pixels of a unit. */
export const scale = 2;

const grey: Rgb = [68, 68, 68];
const white: Rgb = [255, 255, 255];
const black: Rgb = [24, 24, 24];
const fills: Record<SLAColour, { back: Rgb; front: Rgb }> = {
  GREEN: { back: [46, 125, 50], front: white },
  YELLOW: { back: [249, 200, 14], front: black },
  RED: { back: [198, 40, 40], front: white },
};

/** Blank units next to and above a text. */
const gap = 4;
const above = 3;

/** `SLA`, and how many of the evaluated tests succeeded, on the colour of the SLA. */
export function drawBadge({ colour, total, success }: Badge): BadgeDrawing {
  const { back, front } = fills[colour];
  const label = total === 0 ? "-" : `${success}/${total}`;
  const height = glyphHeight + 2 * above;
  const [left, right] = [textWidth("SLA") + 2 * gap, textWidth(label) + 2 * gap];
  return {
    label: `SLA ${colour}: ${
      total === 0 ? "no test succeeded or failed" : `${success} of ${total} tests succeeded`
    }`,
    width: left + right,
    height,
    rectangles: [
      { x: 0, y: 0, width: left + right, height, fill: grey },
      { x: left, y: 0, width: right, height, fill: back },
      ...written("SLA", gap, white),
      ...written(label, left + gap, front),
    ],
  };
}

function written(text: string, at: number, fill: Rgb): Rectangle[] {
  return strokesOf(text).map(({ x, y, length }) => ({
    x: at + x,
    y: above + y,
    width: length,
    height: 1,
    fill,
  }));
}

/** Height of a glyph, and what a glyph takes with the blank after it, in units. */
const glyphHeight = 7;
const glyphAdvance = 6;

/** Rows of the letters that badges use, the top first; a bit is a unit, the highest of five the leftmost. */
const glyphs = new Map<string, number[]>([
  ["0", [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]],
  ["1", [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]],
  ["2", [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]],
  ["3", [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110]],
  ["4", [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]],
  ["5", [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]],
  ["6", [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]],
  ["7", [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]],
  ["8", [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]],
  ["9", [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100]],
  ["/", [0b00000, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b00000]],
  ["-", [0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000]],
  ["S", [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110]],
  ["L", [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111]],
  ["A", [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]],
]);

/** Units that a text takes. */
const textWidth = (text: string) => text.length * glyphAdvance - 1;

/** Horizontal strokes of a text: place and length, in units. Letters without a glyph are blank. */
function strokesOf(text: string): { x: number; y: number; length: number }[] {
  return [...text].flatMap((letter, place) =>
    (glyphs.get(letter) ?? []).flatMap((row, y) =>
      runsOf(row).map(({ at, length }) => ({ x: place * glyphAdvance + at, y, length }))
    )
  );
}

function runsOf(row: number): { at: number; length: number }[] {
  const bits = row.toString(2).padStart(5, "0");
  return [...bits.matchAll(/1+/g)].map(({ 0: run, index }) => ({ at: index, length: run.length }));
}
