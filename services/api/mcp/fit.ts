import { maxAnswer } from "#services/api/mcp/limits.ts";

const encoder = new TextEncoder();

/** Room for a cursor, and for numbers that grow. */
const spare = 400;

/** Bytes of a value as JSON. */
export const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** The first items that fit into a response with `around`, which is the response without them. */
export function fitting<T>(items: readonly T[], around: unknown, max = maxAnswer): T[] {
  let capacity = max - spare - bytesOf(around);
  const fitted: T[] = [];
  for (const item of items) {
    capacity -= bytesOf(item) + 1;
    if (capacity < 0) break;
    fitted.push(item);
  }
  return fitted;
}

/** A part of an answer whose items may be left out: their total stays. */
export interface ListSection {
  total: number;
  items: unknown[];
}

/** Leaves items out of the parts, always of the one with the most bytes, until all of them fit into `capacity` bytes. */
export function fitSections(sections: ListSection[], capacity: number): void {
  const sizes = new Map(
    sections.map((section) => [section, section.items.map((item) => bytesOf(item) + 1)]),
  );
  const sizeOf = (section: ListSection) => sizes.get(section)!.reduce((sum, size) => sum + size, 0);
  const totals = new Map(sections.map((section) => [section, sizeOf(section)]));
  let over = [...totals.values()].reduce((sum, size) => sum + size, 0) - capacity;
  while (over > 0) {
    const largest = sections.reduce((a, b) => (totals.get(b)! > totals.get(a)! ? b : a));
    const last = sizes.get(largest)!.pop();
    if (last === undefined) return;
    largest.items.pop();
    totals.set(largest, totals.get(largest)! - last);
    over -= last;
  }
}
