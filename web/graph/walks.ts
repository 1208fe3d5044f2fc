import { type Adjacency, adjacencyOf, type Walkable } from "#web/graph/adjacency.ts";

/** Ids of nodes, and places of edges in `Model.edges`. */
export interface Subgraph {
  nodes: Set<number>;
  edges: Set<number>;
}

/** Everything that feeds a node and that it feeds, at whatever distance, with the node itself; nothing for a strange id. */
export function fullPath(graph: Walkable, id: number): Subgraph {
  const found = { nodes: new Set<number>(), edges: new Set<number>() };
  const start = graph.index.get(id);
  if (start === undefined) return found;
  for (const side of [graph.up, graph.down]) {
    const steps = distances(graph.ids.length, [start], [side]);
    for (let at = 0; at < steps.length; at++) {
      if (steps[at]! < 0) continue;
      found.nodes.add(graph.ids[at]!);
      for (let i = side.offsets[at]!; i < side.offsets[at + 1]!; i++) {
        found.edges.add(side.edges[i]!);
      }
    }
  }
  return found;
}

/**
 * Everything on a path from `a` to `b` or from `b` to `a`, whichever way the data flows; empty when there is none. Paths
 * may pass a node twice, as in a cycle.
 */
export function pathsBetween(graph: Walkable, a: number, b: number): Subgraph {
  const found = { nodes: new Set<number>(), edges: new Set<number>() };
  const [start, end] = [graph.index.get(a), graph.index.get(b)];
  if (start === undefined || end === undefined) return found;
  addPaths(graph, start, end, found);
  addPaths(graph, end, start, found);
  return found;
}

function addPaths({ ids, up, down }: Walkable, from: number, to: number, found: Subgraph): void {
  const after = distances(ids.length, [from], [down]);
  if (after[to]! < 0) return;
  const before = distances(ids.length, [to], [up]);
  for (let at = 0; at < ids.length; at++) {
    if (after[at]! < 0 || before[at]! < 0) continue;
    found.nodes.add(ids[at]!);
    for (let i = down.offsets[at]!; i < down.offsets[at + 1]!; i++) {
      if (before[down.ends[i]!]! >= 0) found.edges.add(down.edges[i]!);
    }
  }
}

/** Hops of a node to the nearest of some starts, each way; null where no way leads. */
export interface Hops {
  /** It feeds a start at this distance. */
  upstream: number | null;
  /** A start feeds it at this distance. */
  downstream: number | null;
}

/** Hops of every node that a start reaches or that reaches one, by id; 0 for the starts themselves. */
export function hopsFrom(graph: Walkable, starts: Iterable<number>): Map<number, Hops> {
  const indices: number[] = [];
  for (const id of starts) if (graph.index.has(id)) indices.push(graph.index.get(id)!);
  const above = distances(graph.ids.length, indices, [graph.up]);
  const below = distances(graph.ids.length, indices, [graph.down]);
  const found = new Map<number, Hops>();
  for (const [at, id] of graph.ids.entries()) {
    const [up, down] = [above[at]!, below[at]!];
    if (up < 0 && down < 0) continue;
    found.set(id, { upstream: up < 0 ? null : up, downstream: down < 0 ? null : down });
  }
  return found;
}

/** Steps of each node from the nearest start along these sides, -1 where no way leads. */
export function distances(nodes: number, starts: number[], sides: Adjacency[]): Int32Array {
  const steps = new Int32Array(nodes).fill(-1);
  const queue = new Uint32Array(nodes);
  let end = 0;
  for (const start of starts) {
    if (steps[start]! >= 0) continue;
    steps[start] = 0;
    queue[end++] = start;
  }
  for (let at = 0; at < end; at++) {
    const node = queue[at]!;
    for (const { offsets, ends } of sides) {
      for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
        const next = ends[i]!;
        if (steps[next]! >= 0) continue;
        steps[next] = steps[node]! + 1;
        queue[end++] = next;
      }
    }
  }
  return steps;
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
