/** Boxes that lines connect, with the edges among them; indices of the whole graph, in rising order. */
export interface ConnectedComponent {
  boxes: Uint32Array;
  edges: Uint32Array;
}

/** The connected parts by their first box, and the boxes that no line connects with another one. */
export function componentsOf(
  nodes: number,
  pairs: Uint32Array,
): { components: ConnectedComponent[]; alone: Uint32Array } {
  const parents = joined(nodes, pairs);
  const boxes = Map.groupBy(parents.keys(), (node) => find(parents, node));
  const between = Array.from({ length: pairs.length >> 1 }, (_, edge) => edge)
    .filter((edge) => pairs[2 * edge] !== pairs[2 * edge + 1]);
  const edges = Map.groupBy(between, (edge) => find(parents, pairs[2 * edge]!));
  const parts = [...boxes].map(([root, of]) => ({
    boxes: Uint32Array.from(of),
    edges: Uint32Array.from(edges.get(root) ?? []),
  }));
  const alone = parts.filter(({ boxes }) => boxes.length === 1).map(({ boxes: [box] }) => box!);
  const components = parts.filter(({ boxes }) => boxes.length > 1);
  return { components, alone: Uint32Array.from(alone) };
}

function joined(nodes: number, pairs: Uint32Array): Uint32Array {
  const parents = Uint32Array.from({ length: nodes }, (_, node) => node);
  for (let e = 0; e < pairs.length; e += 2) {
    const [a, b] = [find(parents, pairs[e]!), find(parents, pairs[e + 1]!)];
    // The smaller index stands for both, so that parts do not depend on the order of edges.
    if (a < b) parents[b] = a;
    else parents[a] = b;
  }
  return parents;
}

function find(parents: Uint32Array, node: number): number {
  let at = node;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]!]!;
    at = parents[at]!;
  }
  return at;
}
