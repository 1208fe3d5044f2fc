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
  const sizes = new Uint32Array(nodes);
  const edgeCounts = new Uint32Array(nodes);
  for (let n = 0; n < nodes; n++) sizes[find(parents, n)]!++;
  for (let e = 0; e < pairs.length; e += 2) {
    if (pairs[e] !== pairs[e + 1]) edgeCounts[find(parents, pairs[e]!)]!++;
  }
  const componentOf = new Int32Array(nodes).fill(-1);
  const components: ConnectedComponent[] = [];
  const alone: number[] = [];
  const filled: number[] = [];
  for (let n = 0; n < nodes; n++) {
    const root = find(parents, n);
    if (sizes[root] === 1) {
      alone.push(n);
      continue;
    }
    if (componentOf[root]! < 0) {
      const edges = new Uint32Array(edgeCounts[root]!);
      componentOf[root] = components.push({ boxes: new Uint32Array(sizes[root]!), edges }) - 1;
      filled.push(0);
    }
    const component = componentOf[root]!;
    components[component]!.boxes[filled[component]!++] = n;
  }
  filled.fill(0);
  for (let e = 0; e < pairs.length >> 1; e++) {
    if (pairs[2 * e] === pairs[2 * e + 1]) continue;
    const component = componentOf[find(parents, pairs[2 * e]!)]!;
    components[component]!.edges[filled[component]!++] = e;
  }
  return { components, alone: Uint32Array.from(alone) };
}

function joined(nodes: number, pairs: Uint32Array): Uint32Array {
  const parents = new Uint32Array(nodes);
  for (let n = 0; n < nodes; n++) parents[n] = n;
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
