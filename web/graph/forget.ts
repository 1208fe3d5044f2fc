import { cutAt } from "#web/graph/answers.ts";
import { type LineageEdge, type Model, reach } from "#web/graph/model.ts";

/**
 * The model without `ids`, and without what no line connects to a root or to one of `keep` any more; roots stay.
 * With neither roots nor `keep`, only `ids` go. Loading the same again brings all of it back.
 */
export function forget(model: Model, ids: Iterable<number>, keep: Iterable<number> = []): Model {
  const anchors = new Set([...model.roots, ...keep].filter((id) => model.nodes.has(id)));
  const gone = new Set<number>();
  for (const id of ids) if (!anchors.has(id)) gone.add(id);
  if (anchors.size > 0) {
    const reachable = connected(
      model,
      anchors,
      ({ source, target }) => !gone.has(source) && !gone.has(target),
    );
    for (const id of model.nodes.keys()) if (!reachable.has(id)) gone.add(id);
  }
  return without(model, gone);
}

/** What `forget` takes away to close one side of a node: all that only its lines on that side connect to a root. */
export function beyond(model: Model, id: number, side: "upstream" | "downstream"): number[] {
  const anchors = new Set([id, ...model.roots]);
  const reachable = connected(
    model,
    anchors,
    ({ source, target }) => (side === "upstream" ? target : source) !== id,
  );
  return [...model.nodes.keys()].filter((node) => !reachable.has(node));
}

/** All nodes that the lines which `may` allows connect to `anchors`, whichever way the data flows. */
function connected(
  model: Model,
  anchors: Iterable<number>,
  may: (edge: LineageEdge) => boolean,
): Set<number> {
  const near = new Map<number, number[]>();
  const link = (from: number, to: number) => {
    const list = near.get(from);
    if (list) list.push(to);
    else near.set(from, [to]);
  };
  for (const edge of model.edges) {
    if (!may(edge)) continue;
    link(edge.source, edge.target);
    link(edge.target, edge.source);
  }
  const found = new Set(anchors);
  for (const id of found) for (const next of near.get(id) ?? []) found.add(next);
  return found;
}

/** A side of a node that lost a neighbour is no longer whole. */
function without(model: Model, gone: ReadonlySet<number>): Model {
  if (gone.size === 0) return model;
  const nodes = new Map(model.nodes);
  const reached = new Map(model.reached);
  for (const id of gone) {
    nodes.delete(id);
    reached.delete(id);
  }
  const edges: LineageEdge[] = [];
  const unmark = (id: number, bit: number) => {
    const bits = reached.get(id);
    if (bits !== undefined) reached.set(id, bits & ~bit);
  };
  for (const edge of model.edges) {
    const [sourceGone, targetGone] = [gone.has(edge.source), gone.has(edge.target)];
    if (!sourceGone && !targetGone) edges.push(edge);
    else if (!sourceGone) unmark(edge.source, reach.allChildren);
    else if (!targetGone) unmark(edge.target, reach.allParents);
  }
  return { ...model, nodes, edges, reached, truncatedAt: cutAt(reached) };
}

/** The model with one side of a node closed. */
export function closed(model: Model, id: number, side: "upstream" | "downstream"): Model {
  return forget(model, beyond(model, id, side));
}
