/** Rows of pixels, top to bottom, four bytes a pixel: red, green, blue, opacity. */
export interface Strip {
  /** Rows of it. */
  rows: number;
  pixels: Uint8ClampedArray | Uint8Array;
}

const signature = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

/**
 * A PNG file made strip by strip, so that a picture larger than any canvas can be written. `strips` yields all
 * `height` rows in order.
 */
export async function pngOf(
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
