import { cutAt, type Side } from "#web/graph/answers.ts";
import { type LineageEdge, type Model, reach } from "#web/graph/model.ts";

/**
 * The model without `ids`, and without what no line connects to a root any more; roots stay. Without roots, only `ids` go.
 * Loading the same again brings all of it back.
 */
export function forget(model: Model, ids: Iterable<number>): Model {
  const anchors = new Set(model.roots);
  const gone = new Set(ids).difference(anchors);
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
export function beyond(model: Model, id: number, side: Side): number[] {
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
  const pairs = model.edges.filter(may)
    .flatMap(({ source, target }) => [[source, target], [target, source]] as const);
  const near = Map.groupBy(pairs, ([from]) => from);
  const found = new Set(anchors);
  for (const id of found) for (const [, next] of near.get(id) ?? []) found.add(next);
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
  const unmark = (id: number, bit: number) => {
    const bits = reached.get(id);
    if (bits !== undefined) reached.set(id, bits & ~bit);
  };
  const edges = model.edges.filter(({ source, target }) => {
    if (gone.has(target)) unmark(source, reach.allChildren);
    if (gone.has(source)) unmark(target, reach.allParents);
    return !gone.has(source) && !gone.has(target);
  });
  return { ...model, nodes, edges, reached, truncatedAt: cutAt(reached) };
}

export function closed(model: Model, id: number, side: Side): Model {
  return forget(model, beyond(model, id, side));
}
