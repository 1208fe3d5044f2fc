import { type Model, reach } from "#web/graph/model.ts";

/** How many direct neighbours of an entity are not loaded. */
export interface Hidden {
  parents: number;
  children: number;
}

/**
 * The number of neighbours of an entity are not loaded: none on a side that a walk brought whole, else those that the catalogue counts and no line shows.
 */
export function hiddenNeighbours(model: Model): (id: number) => Hidden {
  const parents = new Map<number, number>();
  const children = new Map<number, number>();
  for (const { source, target } of model.edges) {
    children.set(source, (children.get(source) ?? 0) + 1);
    parents.set(target, (parents.get(target) ?? 0) + 1);
  }
  return (id) => {
    const node = model.nodes.get(id);
    if (!node) return { parents: 0, children: 0 };
    const bits = model.reached?.get(id) ?? 0;
    const left = (counted: number, loaded: number | undefined, whole: number) =>
      bits & whole ? 0 : Math.max(0, counted - (loaded ?? 0));
    return {
      parents: left(node.parents, parents.get(id), reach.allParents),
      children: left(node.children, children.get(id), reach.allChildren),
    };
  };
}
