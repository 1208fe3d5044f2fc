import { type Caption, paintCaption, withCaption } from "#web/graph/export/caption.ts";
import { grown, type Rect } from "#web/graph/geometry.ts";
import { type Marks, noMarks } from "#web/graph/marks.ts";
import type { CanvasPort, Painter } from "#web/graph/paint.ts";
import type { Scene } from "#web/graph/scene.ts";
import type { Theme } from "#web/graph/style.ts";

/** Limits of a file that other programs still open: pixels of a side and in all. */
export const pngLimits = { side: 16_384, pixels: 80_000_000 } as const;

/** Pixels of the sides of a tile: small enough for every canvas. */
const tile = { width: 2_048, height: 512 } as const;

const margin = 48;

/** A canvas of a size whose pixels can be read. */
export interface Tile {
  brush: CanvasPort;
  /** Four bytes a pixel of the first `width` columns and `height` rows. */
  read(width: number, height: number): Uint8ClampedArray;
}

interface PngQuestion {
  scene: Scene;
  theme: Theme;
  painter: Painter;
  makeTile: (width: number, height: number) => Tile;
  /** Part of the drawing; all of it by default. */
  area?: Rect;
  marks?: Marks;
  /** Above the drawing; none by default. */
  caption?: Caption;
  /** Pixels per length; smaller when the file would be too large. */
  scale?: number;
  /** Told after each strip, from 0 to 1. */
  progress?: (share: number) => void;
}

/** The scale at which an area stays within the limits, at most the one asked for. */
export function scaleFor(area: Rect, requested: number): number {
  const side = pngLimits.side / Math.max(area.width, area.height);
  const whole = Math.sqrt(pngLimits.pixels / (area.width * area.height));
  return Math.min(requested, side, whole);
}

/**
 * A picture of a scene as a PNG file, painted tile by tile and never cropped. `reduced`: it was made smaller than requested,
 * because it would have exceeded `pngLimits`.
 */
export async function scenePng(question: PngQuestion) {
  const drawn = question.area ?? grown(question.scene.bounds, margin);
  const area = withCaption(drawn, question.caption);
  const requested = question.scale ?? 2;
  const scale = scaleFor(area, requested);
  const width = Math.max(Math.floor(area.width * scale), 1);
  const height = Math.max(Math.floor(area.height * scale), 1);
  const blob = await pngOf(width, height, strips(question, area, scale, width, height));
  return { blob, width, height, reduced: scale < requested };
}

async function* strips(
  question: PngQuestion,
  area: Rect,
  scale: number,
  width: number,
  height: number,
): AsyncGenerator<Strip> {
  const { scene, theme, painter, caption } = question;
  const marks = question.marks ?? noMarks(scene);
  const canvas = question.makeTile(Math.min(width, tile.width), Math.min(height, tile.height));
  for (let top = 0; top < height; top += tile.height) {
    const rows = Math.min(tile.height, height - top);
    const pixels = new Uint8Array(4 * width * rows);
    for (let left = 0; left < width; left += tile.width) {
      const columns = Math.min(tile.width, width - left);
      const size = { width: columns, height: rows };
      // The middle of the tile, in lengths of the drawing.
      const view = {
        x: area.x + (left + columns / 2) / scale,
        y: area.y + (top + rows / 2) / scale,
        zoom: scale,
      };
      painter.paint(canvas.brush, { scene, theme, marks, view, size, ratio: 1 });
      if (caption) paintCaption(canvas.brush, { caption, area, theme }, { left, top, scale });
      const read = canvas.read(columns, rows);
      for (let row = 0; row < rows; row++) {
        pixels.set(
          read.subarray(4 * columns * row, 4 * columns * (row + 1)),
          4 * (width * row + left),
        );
      }
    }
    yield { rows, pixels };
    question.progress?.((top + rows) / height);
    await new Promise((resume) => setTimeout(resume));
  }
}

/** Rows of pixels, top to bottom, four bytes a pixel: red, green, blue, opacity. */
interface Strip {
  /** Rows of it. */
  rows: number;
  pixels: Uint8ClampedArray | Uint8Array;
}

const signature = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

/**
 * A PNG file made strip by strip, so that a picture larger than any canvas can be written. `strips` yields all
 * `height` rows in order.
 */
async function pngOf(
  width: number,
  height: number,
  strips: AsyncIterable<Strip>,
): Promise<Blob> {
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, width);
  head.setUint32(4, height);
  head.setUint8(8, 8);
  head.setUint8(9, 6);
  const parts: Uint8Array<ArrayBuffer>[] = [
    signature,
    chunk("IHDR", new Uint8Array(head.buffer)),
  ];
  const packed = rowsOf(width, strips).pipeThrough(new CompressionStream("deflate"));
  for await (const bytes of packed as unknown as AsyncIterable<Uint8Array>) {
    parts.push(chunk("IDAT", bytes));
  }
  parts.push(chunk("IEND", new Uint8Array()));
  return new Blob(parts, { type: "image/png" });
}

/** Each row behind the number of its filter: 2, the difference to the row above, which packs drawings best. */
function rowsOf(
  width: number,
  strips: AsyncIterable<Strip>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = strips[Symbol.asyncIterator]();
  let above = new Uint8Array(4 * width);
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      const line = 4 * width;
      const out = new Uint8Array(value.rows * (line + 1));
      for (let row = 0; row < value.rows; row++) {
        const own = value.pixels.subarray(row * line, (row + 1) * line);
        const start = row * (line + 1);
        out[start] = 2;
        for (let at = 0; at < line; at++) out[start + 1 + at] = own[at]! - above[at]!;
        above = new Uint8Array(own);
      }
      controller.enqueue(out);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function chunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crcOf(bytes.subarray(4, data.length + 8)));
  return bytes;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
