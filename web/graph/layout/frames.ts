import { type Order, type Proper, updatePositions } from "#web/graph/layout/columns.ts";
import { frameDepth, frameSpace } from "#web/graph/model.ts";

/** The frames around a node from the outside inwards; dummies have none. */
export type FramesOf = (node: number) => Uint32Array;

const none = new Uint32Array(frameDepth);

/** `frames` has `frameDepth` groups for each box of a part; undefined where there are no frames at all. */
export function frameReader(
  { boxes }: Proper,
  frames: Uint32Array | undefined,
): FramesOf | undefined {
  if (!frames) return undefined;
  return (node) =>
    node < boxes ? frames.subarray(frameDepth * node, frameDepth * (node + 1)) : none;
}

/** Brings together what is within one frame in each column, where its members are on average. */
export function gatherFrames(order: Order, framesOf: FramesOf): void {
  const { starts, sequence } = order;
  for (let column = 0; column + 1 < starts.length; column++) {
    const [start, end] = [starts[column]!, starts[column + 1]!];
    const nodes = Array.from(sequence.subarray(start, end), (node, at) => ({ node, at }));
    sequence.set(gathered(nodes, framesOf, 0).map(({ node }) => node), start);
    updatePositions(order, column);
  }
}

interface NodePlace {
  node: number;
  at: number;
}

function gathered(nodes: NodePlace[], framesOf: FramesOf, level: number): NodePlace[] {
  if (level === frameDepth || nodes.length < 2) return nodes;
  // What is in no frame is a part of its own; ids of groups are positive.
  const parts = Map.groupBy(nodes, ({ node }) => framesOf(node)[level] || -1 - node);
  const middle = (part: NodePlace[]) => part.reduce((sum, { at }) => sum + at, 0) / part.length;
  return [...parts.values()]
    .map((part) => ({ part, middle: middle(part) }))
    .sort((a, b) => a.middle - b.middle || a.part[0]!.at - b.part[0]!.at)
    .flatMap(({ part }) => (part.length === 1 ? part : gathered(part, framesOf, level + 1)));
}

/** Room between two nodes of a column for the frames that end below the upper one and begin above the lower one. */
export function frameGap(framesOf: FramesOf, upper: number, lower: number): number {
  const [above, below] = [framesOf(upper), framesOf(lower)];
  let shared = 0;
  while (shared < frameDepth && above[shared] !== 0 && above[shared] === below[shared]) shared++;
  return (depthOf(above) - shared) * frameSpace.bottom + (depthOf(below) - shared) * frameSpace.top;
}

/** How far the frames around a node reach above and below it. */
export function frameExtent(framesOf: FramesOf, node: number): { above: number; below: number } {
  const depth = depthOf(framesOf(node));
  return { above: depth * frameSpace.top, below: depth * frameSpace.bottom };
}

function depthOf(frames: Uint32Array): number {
  const end = frames.indexOf(0);
  return end < 0 ? frames.length : end;
}
