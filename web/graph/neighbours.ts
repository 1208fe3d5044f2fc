import { type Adjacency, adjacencyOf, degree, endsOf, walkable } from "#web/graph/adjacency.ts";
import { type Box, type Draft, Lines, rootBoxes } from "#web/graph/draft.ts";
import { pathsBetween } from "#web/graph/walks.ts";
import type { LineageNode, Model, Paged } from "#web/graph/model.ts";

/** Up to `all` neighbors of one side are drawn; of more, the first `page`, then so many more each time. */
export const neighbourLimit = { all: 12, page: 10 } as const;

/** Which neighbors somebody asked for beyond the first ones. */
export interface MoreNeighbours {
  /** How many beyond the first page, by `12u` for what is upstream of the entity 12, or `12d`. */
  counts: ReadonlyMap<string, number>;
  /** Entities that are drawn in any case. */
  picked: ReadonlySet<number>;
  /** Pairs of entities between which everything is drawn. */
  paths?: readonly (readonly [number, number])[];
}

/**
 * Leaves out neighbors of boxes that have many on one side: the first page of them is drawn, those with open alerts first,
 * then what most is made from, then by name. A box stays while something drawn leads to it from a root. Boxes that no line
 * connects to a root all stay.
 */
export function limitNeighbours(model: Model, draft: Draft, more: MoreNeighbours): Draft {
  const { boxes, lines } = draft;
  const pairs = lines.pairs();
  const sides: Sides = {
    up: adjacencyOf(boxes.length, pairs, "to"),
    down: adjacencyOf(boxes.length, pairs, "from"),
  };
  const hasMany = (at: number) =>
    Object.values(sides).some((side) => degree(side, at) > neighbourLimit.all);
  if (!boxes.some((_, at) => hasMany(at))) return draft;
  const isDrawn = drawnFrom(model, draft, sides, withPaths(model, more));
  for (const at of unconnected(model, boxes, sides)) isDrawn[at] = 1;
  return without(draft, isDrawn, sides);
}

/** What lies on the paths between two entities is picked. */
function withPaths(model: Model, more: MoreNeighbours): MoreNeighbours {
  if (!more.paths?.length) return more;
  const graph = walkable(model);
  const between = more.paths.flatMap(([id, to]) => [...pathsBetween(graph, id, to).nodes]);
  return { ...more, picked: new Set([...more.picked, ...between]) };
}

interface Sides {
  up: Adjacency;
  down: Adjacency;
}

/**
 * 1 for each box that is drawn. First what lies up- and downstream of the roots, along one direction each: another way back
 * would bring what was left out. Then what somebody opened elsewhere, whichever way.
 */
function drawnFrom(model: Model, { boxes }: Draft, sides: Sides, more: MoreNeighbours): Uint8Array {
  const isDrawn = new Uint8Array(boxes.length);
  const roots = rootBoxes(model, boxes);
  for (const at of roots) isDrawn[at] = 1;
  const next = nextOf(model, boxes, isDrawn, more);
  const all = new Uint8Array(boxes.length);
  for (const way of ["up", "down"] as const) {
    walk(roots, (at) => next(sides[way], way, at));
    const seen = new Uint8Array(boxes.length);
    walk(roots, (at) => unseen(endsOf(sides[way], at), seen));
    for (let at = 0; at < seen.length; at++) all[at]! |= seen[at]!;
  }
  const drawn = boxes.flatMap((_, at) => (isDrawn[at] ? [at] : []));
  walk(
    drawn,
    (at) =>
      (["up", "down"] as const).flatMap((way) =>
        next(sides[way], way, at, (end) => all[end] === 0)
      ),
  );
  return isDrawn;
}

/** Visits what `next` returns for each, breadth first. */
function walk(starts: readonly number[], next: (at: number) => readonly number[]): void {
  const reached = [...starts];
  // Iterating the list includes what is added meanwhile.
  for (const at of reached) for (const end of next(at)) reached.push(end);
}

/** Those that were not seen, which are from now on. */
function unseen(ends: Iterable<number>, seen: Uint8Array): number[] {
  return [...ends].filter((end) => {
    if (seen[end]) return false;
    seen[end] = 1;
    return true;
  });
}

/** Draws the first neighbors of a box on one side, and those that were picked; answers those that were not drawn before. */
function nextOf(
  model: Model,
  boxes: readonly Box[],
  isDrawn: Uint8Array,
  { counts, picked }: MoreNeighbours,
) {
  const nodeOf = (at: number) => model.nodes.get(boxes[at]!.members[0]!)!;
  const compare = rankOf(model);
  return (
    side: Adjacency,
    way: "up" | "down",
    at: number,
    may: (end: number) => boolean = () => true,
  ): number[] => {
    const ends = [...endsOf(side, at)].filter((end) => end !== at);
    const wanted = counts.get(`${boxes[at]!.members[0]}${way[0]}`) ?? 0;
    const max = ends.length <= neighbourLimit.all ? ends.length : neighbourLimit.page + wanted;
    const rest = ends.filter((end) => !isDrawn[end]);
    const free = Math.max(0, max - (ends.length - rest.length));
    const first = rest.length <= free
      ? rest
      : rest.sort((a, b) => compare(nodeOf(a), nodeOf(b))).slice(0, free);
    const some = [...first, ...rest.filter((end) => picked.has(boxes[end]!.members[0]!))];
    return unseen(some.filter(may), isDrawn);
  };
}

/** What changed first where two times are compared, then open alerts, then what most is made from, then by name. */
export function rankOf(
  { changes }: Pick<Model, "changes">,
): (a: LineageNode, b: LineageNode) => number {
  const { compare } = new Intl.Collator();
  const isChanged = ({ id }: LineageNode) => Number((changes?.ofNode(id) ?? "same") !== "same");
  return (a, b) =>
    isChanged(b) - isChanged(a) || Number(b.hasAlerts) - Number(a.hasAlerts) ||
    b.children - a.children || compare(a.name, b.name) || a.id - b.id;
}

/** Boxes to which no way leads from a root, whatever is left out. */
function unconnected(model: Model, boxes: readonly Box[], { up, down }: Sides): number[] {
  const roots = rootBoxes(model, boxes);
  const seen = new Uint8Array(boxes.length);
  for (const at of roots) seen[at] = 1;
  walk(roots, (at) => unseen([...endsOf(up, at), ...endsOf(down, at)], seen));
  return boxes.flatMap((_, at) => (seen[at] ? [] : [at]));
}

/** The draft without what is not drawn; boxes say how many of their neighbors that leaves out. */
function without(
  { boxes, lines }: Draft,
  isDrawn: Uint8Array,
  { up, down }: Sides,
): Draft {
  const leftOut = (side: Adjacency, at: number) =>
    endsOf(side, at).filter((end) => !isDrawn[end]).length;
  const place = new Int32Array(boxes.length).fill(-1);
  const remaining: Box[] = [];
  for (const [at, box] of boxes.entries()) {
    if (!isDrawn[at]) continue;
    const paged: Paged = { parents: leftOut(up, at), children: leftOut(down, at) };
    const isPaged = paged.parents + paged.children > 0;
    place[at] = remaining.push(isPaged ? { ...box, paged } : box) - 1;
  }
  const drawn = new Lines();
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [place[lines.from[at]!]!, place[lines.to[at]!]!];
    if (from >= 0 && to >= 0) drawn.add(from, to, lines.jobs[at], lines.weights[at]);
  }
  return { boxes: remaining, lines: drawn };
}
