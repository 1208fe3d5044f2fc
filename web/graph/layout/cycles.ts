import { type Adjacency, adjacencyOf } from "#web/graph/adjacency.ts";

/**
 * 1 for each edge that closes a cycle: without these edges the graph has none. A depth-first search from what nothing
 * feeds, then from the rest in the order of the indices, so that the direction most edges agree on remains.
 */
export function backEdges(nodes: number, pairs: Uint32Array): Uint8Array {
  const reversed = new Uint8Array(pairs.length >> 1);
  const down = adjacencyOf(nodes, pairs, "from");
  const fed = new Uint8Array(nodes);
  for (let e = 0; e < reversed.length; e++) fed[pairs[2 * e + 1]!] = 1;
  const search = {
    down,
    reversed,
    state: new Uint8Array(nodes),
    next: down.offsets.slice(0, nodes),
  };
  const path = new Uint32Array(nodes);
  for (let n = 0; n < nodes; n++) if (!fed[n]) searchFrom(n, path, search);
  for (let n = 0; n < nodes; n++) if (fed[n]) searchFrom(n, path, search);
  return reversed;
}

interface Search {
  down: Adjacency;
  reversed: Uint8Array;
  /** 0 not seen, 1 on the path, 2 left. */
  state: Uint8Array;
  next: Uint32Array;
}

function searchFrom(start: number, path: Uint32Array, search: Search): void {
  const { down, reversed, state, next } = search;
  if (state[start]) return;
  let length = 1;
  path[0] = start;
  state[start] = 1;
  while (length > 0) {
    const at = path[length - 1]!;
    if (next[at]! === down.offsets[at + 1]!) {
      state[at] = 2;
      length--;
      continue;
    }
    const entry = next[at]!++;
    const end = down.ends[entry]!;
    if (state[end] === 1) reversed[down.edges[entry]!] = 1;
    else if (state[end] === 0) {
      state[end] = 1;
      path[length++] = end;
    }
  }
}
