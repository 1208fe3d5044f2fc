import type { FirstNeighbours } from "#graph/first-level.ts";
import type { Degrees, Direction, EdgePair, Walk } from "#graph/port.ts";

/** A row of `lineage_walk`; an empty aggregate is null. */
export interface WalkRow {
  head: number;
  whole: number;
  complete: boolean;
  over: boolean;
  near: number[] | null;
  far: number[] | null;
  ids: number[];
  against_ids: number[] | null;
  against: number[] | null;
  frontier: number;
  along_ids: number[] | null;
  along: number[] | null;
}

/** Edges from parallel lists of near ends (on the root's side) and far ends. */
export function pairs(
  near: number[] | null,
  far: number[] | null,
  direction: Direction,
): EdgePair[] {
  if (!near || !far) return [];
  return direction === "downstream"
    ? near.map((parent, i) => [parent, far[i]!])
    : near.map((child, i) => [far[i]!, child]);
}

/** Converts a row to the port's answer to `request`. */
export function toWalk(row: WalkRow, request: { direction: Direction; depth: number }): Walk {
  const along = countAlong(row);
  const against = counts(row.against_ids, row.against);
  const answer: Walk = {
    position: row.head,
    edges: pairs(row.near, row.far, request.direction),
    degrees: degreesOf(row.ids, along, against, request.direction),
  };
  if (row.complete) return answer;
  const remainingDepth = request.depth - row.whole;
  const at = row.ids.slice(row.ids.length - row.frontier)
    .filter((id) => along.has(id))
    .map((id) => ({ id, remainingDepth }));
  return at.length === 0
    ? answer
    : { ...answer, truncated: { reason: row.over ? "nodes" : "time", at } };
}

/** A row of `lineage_among`. */
export interface AmongRow {
  head: number;
  whole: number;
  near: number[] | null;
  far: number[] | null;
}

/** Converts a row to the port's result; `within` of `all` members were requested. */
export function toAmong(row: AmongRow, within: number, all: number) {
  const answer = { position: row.head, edges: pairs(row.near, row.far, "downstream") };
  if (row.whole < within) return { ...answer, truncated: { reason: "time" as const } };
  return within < all ? { ...answer, truncated: { reason: "nodes" as const } } : answer;
}

/** A row of `lineage_first_level`; an empty aggregate is null. */
export interface FirstLevelRow {
  near: number[] | null;
  far: number[] | null;
  ids: number[] | null;
  parents_of: number[] | null;
  parents: number[] | null;
  children_of: number[] | null;
  children: number[] | null;
}

export function toFirstNeighbours(row: FirstLevelRow, direction: Direction): FirstNeighbours {
  const parents = counts(row.parents_of, row.parents);
  const children = counts(row.children_of, row.children);
  return {
    edges: pairs(row.near, row.far, direction),
    degrees: new Map((row.ids ?? []).map((id) => [
      id,
      { parents: parents.get(id) ?? 0, children: children.get(id) ?? 0 },
    ])),
  };
}

function counts(ids: number[] | null, numbers: number[] | null): Map<number, number> {
  return new Map((ids ?? []).map((id, i) => [id, numbers![i]!]));
}

/** Neighbours in the walk's direction: counted by the engine for the frontier, here for the others. */
function countAlong(row: WalkRow): Map<number, number> {
  const along = counts(row.along_ids, row.along);
  for (const id of row.near ?? []) along.set(id, (along.get(id) ?? 0) + 1);
  return along;
}

function degreesOf(
  ids: number[],
  along: Map<number, number>,
  against: Map<number, number>,
  direction: Direction,
): Map<number, Degrees> {
  const [parents, children] = direction === "downstream" ? [against, along] : [along, against];
  const degrees = new Map<number, Degrees>();
  for (const id of ids) {
    const found = { parents: parents.get(id) ?? 0, children: children.get(id) ?? 0 };
    if (found.parents + found.children > 0) degrees.set(id, found);
  }
  return degrees;
}
