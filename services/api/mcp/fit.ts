import { maxAnswer } from "#services/api/mcp/limits.ts";

const encoder = new TextEncoder();

/** Room for a cursor, and for numbers that grow. */
const spare = 400;

/** Bytes of a value as JSON. */
export const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** The first of the items that fit into an answer beside `around`, which is the answer without them. */
export function fitting<T>(items: readonly T[], around: unknown, most = maxAnswer): T[] {
  let room = most - spare - bytesOf(around);
  const kept: T[] = [];
  for (const item of items) {
    room -= bytesOf(item) + 1;
    if (room < 0) break;
    kept.push(item);
  }
  return kept;
}

/** A part of an answer whose items may be left out: their total stays. */
export interface Part {
  total: number;
  items: unknown[];
}

/** Leaves items out of the parts, always of the one with the most bytes, until all of them fit into `room` bytes. */
export function fitParts(parts: Part[], room: number): void {
  const sizes = new Map(parts.map((part) => [part, part.items.map((item) => bytesOf(item) + 1)]));
  const sizeOf = (part: Part) => sizes.get(part)!.reduce((sum, size) => sum + size, 0);
  const totals = new Map(parts.map((part) => [part, sizeOf(part)]));
  let over = [...totals.values()].reduce((sum, size) => sum + size, 0) - room;
  while (over > 0) {
    const largest = parts.reduce((a, b) => (totals.get(b)! > totals.get(a)! ? b : a));
    const last = sizes.get(largest)!.pop();
    if (last === undefined) return;
    largest.items.pop();
    totals.set(largest, totals.get(largest)! - last);
    over -= last;
  }
}
