import type { Slice } from "./bytes.ts";
import { bodyAround } from "./frame.ts";
import { isGroup, type ScannedBatch } from "./parse.ts";

/** Maximum number of items of a chunk, and the size in bytes beyond which no further item is added to a chunk. */
export const maxChunkItems = 1_000;
export const maxChunkBytes = 900_000;

export interface ChunkLimits {
  items: number;
  bytes: number;
}

/** Limits of chunks that their consumer may have to read on its event loop. */
const readChunkLimits: ChunkLimits = { items: maxChunkItems, bytes: maxChunkBytes };
/** Limits of chunks that their consumer need not read: fewer chunks are fewer transactions, and fewer records of the log. */
export const storedChunkLimits: ChunkLimits = { items: maxChunkItems, bytes: 3_000_000 };

/** One chunk of a batch: a complete body, and which items of the batch it holds. */
export interface BatchChunk {
  body: Uint8Array;
  /** Indexes of its items in the posted batch, in the order of the chunk. */
  indexes: number[];
}

const encoder = new TextEncoder();
const comma = 0x2c;

/**
 * Splits a batch into complete bodies, `{"data_source_catrn":...,"items":[...]}`, that reuse the
 * posted bytes of the items. Entities keep their order, groups come last (`group` returns whether the item at an index is a group;
 * without it they are looked at). An item that exceeds the size of a chunk becomes a chunk of its own. A batch without
 * items has no chunks.
 */
export function splitBatch(
  body: Uint8Array,
  scanned: ScannedBatch,
  limits = readChunkLimits,
  group = (at: number): boolean => isGroup(body, scanned.items[at]!),
): BatchChunk[] {
  const { head, tail } = frameOf(scanned);
  const order = chunkOrder(scanned.items.length, group);
  const frame = head.length + tail.length;
  const chunks: BatchChunk[] = [];
  for (let start = 0; start < order.length;) {
    const end = chunkEnd(scanned.items, order, start, frame, limits);
    const indexes = order.slice(start, end);
    const items = indexes.map((i) => scanned.items[i]!);
    chunks.push({ body: joinChunk(body, head, items, tail), indexes });
    start = end;
  }
  return chunks;
}

/** A complete body with the items at `indexes`, in that order. */
export function pickItems(
  body: Uint8Array,
  scanned: ScannedBatch,
  indexes: number[],
): Uint8Array {
  const { head, tail } = frameOf(scanned);
  return joinChunk(body, head, indexes.map((i) => scanned.items[i]!), tail);
}

const zero = 0x30;

/**
 * The body with each item replaced by a zero. If all items are valid JSON, the result is valid JSON
 * exactly when the body is.
 */
export function frameOnly(body: Uint8Array, { items }: ScannedBatch): Uint8Array {
  const content = items.reduce((sum, { from, to }) => sum + to - from, 0);
  const frame = new Uint8Array(body.length - content + items.length);
  let copied = 0;
  let at = 0;
  for (const { from, to } of items) {
    frame.set(body.subarray(copied, from), at);
    at += from - copied;
    frame[at++] = zero;
    copied = to;
  }
  frame.set(body.subarray(copied), at);
  return frame;
}

function frameOf({ dataSourceCatrn = "" }: ScannedBatch) {
  const { head, tail } = bodyAround(dataSourceCatrn);
  return { head: encoder.encode(head), tail: encoder.encode(tail) };
}

function chunkOrder(count: number, group: (at: number) => boolean): number[] {
  const entities: number[] = [];
  const groups: number[] = [];
  for (let at = 0; at < count; at++) (group(at) ? groups : entities).push(at);
  return [...entities, ...groups];
}

function chunkEnd(
  items: Slice[],
  order: number[],
  start: number,
  frame: number,
  limits: ChunkLimits,
): number {
  let size = frame;
  let end = start;
  while (end < order.length && end - start < limits.items) {
    const { from, to } = items[order[end]!]!;
    const added = to - from + (end > start ? 1 : 0);
    if (end > start && size + added > limits.bytes) break;
    size += added;
    end++;
  }
  return end;
}

function joinChunk(
  bytes: Uint8Array,
  head: Uint8Array,
  items: Slice[],
  tail: Uint8Array,
): Uint8Array {
  const content = items.reduce((sum, { from, to }) => sum + to - from, 0);
  const body = new Uint8Array(head.length + content + items.length - 1 + tail.length);
  body.set(head);
  let at = head.length;
  items.forEach(({ from, to }, i) => {
    if (i > 0) body[at++] = comma;
    body.set(bytes.subarray(from, to), at);
    at += to - from;
  });
  body.set(tail, at);
  return body;
}
