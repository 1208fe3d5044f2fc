import type { LayoutDrawing } from "./drawing.ts";

/**
 * Pairs of lines that cross, counted on the drawing itself, so that it does not matter how a layout counts for itself: a
 * point where several lines run together and cross another one counts for each of them. Lines that only meet do not cross.
 */
export function crossingsOf({ lines }: LayoutDrawing): number {
  const segments = segmentsOf(lines);
  const sorted = [...segments.keys()].sort((a, b) => segments[a]!.left - segments[b]!.left);
  let open: Segment[] = [];
  let crossings = 0;
  for (const at of sorted) {
    const segment = segments[at]!;
    open = open.filter((other) => other.right > segment.left);
    for (const other of open) if (cross(segment, other)) crossings++;
    open.push(segment);
  }
  return crossings;
}

interface Segment {
  line: number;
  left: number;
  right: number;
  /** Heights at the left and at the right end. */
  from: number;
  to: number;
}

/** The pieces of lines that do not run straight up. */
function segmentsOf(lines: number[][]): Segment[] {
  const segments: Segment[] = [];
  for (const [line, points] of lines.entries()) {
    for (let at = 2; at < points.length; at += 2) {
      const [ax, ay, bx, by] = points.slice(at - 2, at + 2) as [number, number, number, number];
      if (Math.abs(ax - bx) < 1e-6) continue;
      const forward = ax < bx;
      segments.push({
        line,
        left: forward ? ax : bx,
        right: forward ? bx : ax,
        from: forward ? ay : by,
        to: forward ? by : ay,
      });
    }
  }
  return segments;
}

/** Whether one is above the other at the left end of what they share, and below it at the right end. */
function cross(a: Segment, b: Segment): boolean {
  if (a.line === b.line) return false;
  const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)];
  if (right - left < 1e-6) return false;
  const before = heightAt(a, left) - heightAt(b, left);
  const after = heightAt(a, right) - heightAt(b, right);
  return Math.abs(before) > 1e-3 && Math.abs(after) > 1e-3 && before > 0 !== after > 0;
}

function heightAt({ left, right, from, to }: Segment, x: number): number {
  return from + (to - from) * (x - left) / (right - left);
}
