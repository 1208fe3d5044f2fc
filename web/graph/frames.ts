import { grown, overlaps, type Rect, rectOf, union } from "#web/graph/geometry.ts";
import { frameDepth, frameSpace, type LineageGroup, type View } from "#web/graph/model.ts";

/** The outline of a group around boxes that are in it, and around no other. */
export interface SceneFrame {
  /** Id of the group. */
  group: number;
  name: string;
  /** Boxes within it, by index. */
  boxes: readonly number[];
  rect: Rect;
  /** 0 for the outermost. */
  level: number;
}

interface BoxPlaces {
  rects: Float32Array;
  columns: Uint32Array;
}

/** Drawings with more boxes have no frames: their groups are boxes themselves. */
const maxBoxes = 1_000;

/**
 * The frames of a drawing, the outer ones first. A group has one frame where its boxes lie together; where other boxes lie
 * between them it has several, since a frame around all would say of those that they are in the group.
 */
export function framesOf(
  { nodes }: View,
  geometry: BoxPlaces,
  groups: ReadonlyMap<number, LineageGroup>,
): SceneFrame[] {
  if (nodes.length > maxBoxes) return [];
  const pieces: Piece[] = [];
  for (let level = 0; level < frameDepth; level++) {
    const members = Map.groupBy(nodes.keys(), (box) => nodes[box]!.frames?.[level]);
    const found: Piece[] = [];
    for (const [group, boxes] of members) {
      if (group !== undefined) {
        found.push(...columnPieces({ group, level }, boxes, nodes, geometry));
      }
    }
    const outer = pieces.filter((piece) => piece.level === level - 1);
    pieces.push(...joined(found, outer, geometry));
  }
  return withoutRepeats(pieces).map(({ groups: within, level, boxes, rect }) => ({
    group: within.at(-1)!,
    level,
    boxes,
    rect,
    name: within.map((id) => groups.get(id)?.name ?? String(id)).join(" › "),
  }));
}

/** Where a frame has exactly the boxes of the one around it, the inner one stands for both. */
function withoutRepeats(pieces: readonly Piece[]): Piece[] {
  const last = new Map<string, Piece>();
  for (const piece of pieces) {
    const key = [...piece.boxes].sort((a, b) => a - b).join();
    const outer = last.get(key);
    last.delete(key);
    last.set(key, outer ? { ...piece, groups: [...outer.groups, ...piece.groups] } : piece);
  }
  return [...last.values()].sort((a, b) => a.level - b.level);
}

interface Piece {
  /** The group, after those around it that have no frame of their own. */
  groups: number[];
  level: number;
  boxes: number[];
  rect: Rect;
  first: number;
  last: number;
}

/** One piece for each run of boxes of a column that are next to each other. */
function columnPieces(
  { group, level }: { group: number; level: number },
  boxes: number[],
  nodes: View["nodes"],
  { rects, columns }: BoxPlaces,
): Piece[] {
  const isMember = new Set(boxes);
  const pieces: Piece[] = [];
  for (const [column, of] of Map.groupBy(boxes, (box) => columns[box]!)) {
    const all = nodes.map((_, box) => box).filter((box) => columns[box] === column)
      .sort((a, b) => rects[4 * a]! - rects[4 * b]! || rects[4 * a + 1]! - rects[4 * b + 1]!);
    let piece: Piece | null = null;
    for (const box of of.length > 0 ? all : []) {
      if (!isMember.has(box)) {
        piece = null;
        continue;
      }
      const rect = around(rectOf({ rects }, box), (nodes[box]!.frames?.length ?? 0) - level);
      if (piece && rect.x < piece.rect.x + piece.rect.width) {
        piece.boxes.push(box);
        piece.rect = union(piece.rect, rect);
      } else {
        piece = { groups: [group], level, boxes: [box], rect, first: column, last: column };
        pieces.push(piece);
      }
    }
  }
  return pieces;
}

/**
 * The pieces of one level with those of one group and one outer frame joined that are in neighbouring columns, unless
 * their frame would touch what is not in it.
 */
function joined(pieces: Piece[], outer: readonly Piece[], { rects }: BoxPlaces): Piece[] {
  const outerOf = new Map(outer.flatMap((piece) => piece.boxes.map((box) => [box, piece])));
  let rest = pieces.sort((a, b) => a.first - b.first || a.rect.y - b.rect.y);
  for (const piece of [...rest]) {
    if (!rest.includes(piece)) continue;
    const isNext = (other: Piece) =>
      other !== piece && other.groups[0] === piece.groups[0] && other.first >= piece.first &&
      other.first <= piece.last + 1 &&
      outerOf.get(other.boxes[0]!) === outerOf.get(piece.boxes[0]!);
    for (
      let other;
      (other = rest.find((each) => isNext(each) && fits(piece, each, rest, rects)));
    ) {
      piece.boxes.push(...other.boxes);
      piece.rect = union(piece.rect, other.rect);
      piece.last = Math.max(piece.last, other.last);
      const gone = other;
      rest = rest.filter((each) => each !== gone);
    }
  }
  return rest;
}

/** Whether one frame around two pieces touches no other box and no other frame of their level. */
function fits(a: Piece, b: Piece, pieces: readonly Piece[], rects: Float32Array): boolean {
  const rect = union(a.rect, b.rect);
  const inside = new Set([...a.boxes, ...b.boxes]);
  for (let box = 0; 4 * box < rects.length; box++) {
    if (!inside.has(box) && overlaps(rect, grown(rectOf({ rects }, box), frameSpace.side))) {
      return false;
    }
  }
  return pieces.every((piece) => piece === a || piece === b || !overlaps(rect, piece.rect));
}

function around({ x, y, width, height }: Rect, frames: number): Rect {
  const { top, bottom, side } = frameSpace;
  return {
    x: x - frames * side,
    y: y - frames * top,
    width: width + 2 * frames * side,
    height: height + frames * (top + bottom),
  };
}
