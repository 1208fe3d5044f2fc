import { type Adjacency, adjacencyOf } from "#web/graph/adjacency.ts";

/**
 * The cycles of a graph: nodes that lead to each other have the same number, and a line from one number to another goes
 * to the smaller one (Tarjan's strongly connected components).
 */
export function cyclesOf(nodes: number, down: Adjacency): Uint32Array {
  const found = new Uint32Array(nodes);
  const order = new Uint32Array(nodes);
  const lowest = new Uint32Array(nodes);
  const isOpen = new Uint8Array(nodes);
  const next = down.offsets.slice(0, nodes);
  const [open, path]: [number[], number[]] = [[], []];
  let [count, visited] = [0, 0];
  const enter = (node: number) => {
    order[node] = lowest[node] = ++visited;
    isOpen[node] = 1;
    open.push(node);
    path.push(node);
  };
  const leave = (node: number) => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[node]!);
    if (lowest[node] !== order[node]) return;
    for (let member = -1; member !== node;) {
      member = open.pop()!;
      isOpen[member] = 0;
      found[member] = count;
    }
    count++;
  };
  for (let start = 0; start < nodes; start++) {
    if (order[start] === 0) enter(start);
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (next[node] === down.offsets[node + 1]) {
        leave(node);
        continue;
      }
      const end = down.ends[next[node]!++]!;
      if (order[end] === 0) enter(end);
      else if (isOpen[end]) lowest[node] = Math.min(lowest[node]!, order[end]!);
    }
  }
  return found;
}

/** The most lines on a way to each node, where a cycle counts as one node. `pairs` are from, to, from, to … */
export function depthsOf(nodes: number, pairs: Uint32Array): Uint32Array {
  const down = adjacencyOf(nodes, pairs, "from");
  const cycles = cyclesOf(nodes, down);
  const depths = new Uint32Array(nodes);
  const first = Array.from({ length: nodes }, (_, node) => node)
    .sort((a, b) => cycles[b]! - cycles[a]!);
  for (const node of first) {
    const depth = depths[cycles[node]!]!;
    for (let at = down.offsets[node]!; at < down.offsets[node + 1]!; at++) {
      const cycle = cycles[down.ends[at]!]!;
      if (cycle !== cycles[node]) depths[cycle] = Math.max(depths[cycle]!, depth + 1);
    }
  }
  return cycles.map((cycle) => depths[cycle]!);
}
