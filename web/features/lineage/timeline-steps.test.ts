import { describe, expect, it } from "vitest";
import {
  type EdgeChange,
  momentOf,
  positionOf,
  stepsOf,
} from "#web/features/lineage/timeline-steps.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();
const edge = (
  seconds: number,
  change: EdgeChange["change"],
  source: number,
  target: number,
): EdgeChange => ({ at: at(seconds), change, source: { id: source }, target: { id: target } });

/** Newest first, as the service tells them. */
const changes = [
  edge(100, "removed", 1, 2),
  edge(51.5, "added", 2, 3),
  edge(50, "added", 1, 2),
  edge(50, "added", 1, 2),
  edge(20, "added", 8, 9),
  edge(10, "added", 9, 1),
];
const steps = stepsOf(changes, new Set([1, 2]));

describe("steps in time", () => {
  it("are what touches the drawing, oldest first; what is written at about one time is one", () => {
    expect(steps).toEqual([
      { at: at(10), came: 1, left: 0 },
      { at: at(51.5), came: 2, left: 0 },
      { at: at(100), came: 0, left: 1 },
    ]);
    expect(stepsOf(changes, new Set())).toEqual([]);
  });

  it.each([[null, 3], [at(100), 3], [at(99), 2], [at(51.5), 2], [at(51), 1], [at(1), 0]])(
    "as of %s, %d are behind",
    (asOf, position) => expect(positionOf(steps, asOf)).toBe(position),
  );

  it.each([[3, null], [2, at(51.5)], [1, at(10)], [0, at(8)]])(
    "%d behind is as of %s",
    (position, moment) => {
      expect(momentOf(steps, position)).toBe(moment);
      expect(positionOf(steps, moment)).toBe(position);
    },
  );
});
