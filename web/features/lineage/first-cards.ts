import type { Model } from "#web/graph/model.ts";
import { walkable } from "#web/graph/walkable.ts";
import { hopsFrom } from "#web/graph/walks.ts";
import { isDataset } from "#web/features/lineage/card-state.ts";

/** More cards are opened one by one. */
const maxFirstCards = 8;

/** Where columns are drawn: the start and the datasets next to it, the nearest first. */
export function firstCards(model: Model): number[] {
  const graph = walkable(model);
  const hops = hopsFrom(graph, new Set(model.roots));
  const distance = (id: number) => {
    const { upstream, downstream } = hops.get(id) ?? { upstream: null, downstream: null };
    return Math.min(upstream ?? Infinity, downstream ?? Infinity);
  };
  return [...model.nodes.keys()].filter((id) => isDataset(model, id))
    .sort((a, b) => distance(a) - distance(b) || a - b).slice(0, maxFirstCards);
}
