import { type Adjacency, adjacencyOf, degree } from "#web/graph/adjacency.ts";
import { type Draft, Lines } from "#web/graph/draft.ts";
import { hiddenNeighbours } from "#web/graph/hidden.ts";
import type { Model } from "#web/graph/model.ts";

/**
 * Draws transformers as lines from each of their parents to each of their children. One stays a box while that would
 * hide something: it is a root, has neighbours that are not loaded, lacks parents or children, reads what it writes,
 * stands beside another transformer, or needs far more lines than it has.
 */
export function jobsAsLines(model: Model, { boxes, lines }: Draft): Draft {
  const pairs = lines.pairs();
  const up = adjacencyOf(boxes.length, pairs, "to");
  const down = adjacencyOf(boxes.length, pairs, "from");
  const isWhole = wholeTransformers(model);
  const fits = boxes.map((box, at) =>
    !box.reason && isWhole(box.members[0]!) && fewLines(up, down, at) && areDistinct(up, down, at)
  );
  const asLine = fits.map((fit, at) =>
    fit && !isAdjacent(up, at, fits) && !isAdjacent(down, at, fits)
  );
  const place = new Int32Array(boxes.length).fill(-1);
  const remaining = boxes.filter((_, at) => !asLine[at]);
  for (let at = 0, next = 0; at < boxes.length; at++) if (!asLine[at]) place[at] = next++;
  const drawn = new Lines();
  for (let at = 0; at < lines.count; at++) {
    const [from, to] = [place[lines.from[at]!]!, place[lines.to[at]!]!];
    if (from >= 0 && to >= 0) drawn.add(from, to, lines.jobs[at]);
  }
  for (let at = 0; at < boxes.length; at++) {
    if (!asLine[at]) continue;
    for (const from of endsOf(up, at)) {
      for (const to of endsOf(down, at)) drawn.add(place[from]!, place[to]!, boxes[at]!.members);
    }
  }
  return { boxes: remaining, lines: drawn };
}

function wholeTransformers(model: Model): (id: number) => boolean {
  const hidden = hiddenNeighbours(model);
  const roots = new Set(model.roots);
  return (id) => {
    if (!model.nodes.get(id)?.classes.includes("DATA_TRANSFORMER") || roots.has(id)) return false;
    const { parents, children } = hidden(id);
    return parents === 0 && children === 0 && !model.truncatedAt.has(id);
  };
}

/** At most twice the lines that it has as a box, so that no job becomes thousands of lines. */
function fewLines(up: Adjacency, down: Adjacency, at: number): boolean {
  const [parents, children] = [degree(up, at), degree(down, at)];
  return parents > 0 && children > 0 && parents * children <= 2 * (parents + children);
}

function areDistinct(up: Adjacency, down: Adjacency, at: number): boolean {
  const parents = new Set(endsOf(up, at));
  return !parents.has(at) && !endsOf(down, at).some((child) => parents.has(child));
}

function isAdjacent(adjacency: Adjacency, at: number, fits: readonly boolean[]): boolean {
  return endsOf(adjacency, at).some((end) => fits[end]!);
}

function endsOf(adjacency: Adjacency, at: number): Uint32Array {
  return adjacency.ends.subarray(adjacency.offsets[at]!, adjacency.offsets[at + 1]!);
}
