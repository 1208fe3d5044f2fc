import type { Adjacency } from "#web/graph/adjacency.ts";
import type { OrderingGraph } from "#web/graph/layout/ordering.ts";

/** Rounds over a column; more find little. */
const maxRounds = 4;

/** Changes neighbours in a column wherever fewer lines cross so; two nodes with a rank never change places. */
export function transposed(ordering: OrderingGraph): void {
  const above = new Uint32Array(ordering.up.ends.length);
  const below = new Uint32Array(ordering.down.ends.length);
  for (let column = 0; column + 1 < ordering.starts.length; column++) {
    positionsOf(ordering, column, ordering.up, above);
    positionsOf(ordering, column, ordering.down, below);
    for (let round = 0; round < maxRounds; round++) {
      if (!transposeColumn(ordering, column, above, below)) break;
    }
  }
}

/** The places of the neighbours of each node of a column, sorted. */
function positionsOf(
  { starts, sequence, positions }: OrderingGraph,
  column: number,
  { offsets, ends }: Adjacency,
  indexes: Uint32Array,
): void {
  for (let at = starts[column]!; at < starts[column + 1]!; at++) {
    const [first, last] = [offsets[sequence[at]!]!, offsets[sequence[at]! + 1]!];
    for (let i = first; i < last; i++) {
      const place = positions[ends[i]!]!;
      let to = i;
      if (last - first <= 16) {
        for (; to > first && indexes[to - 1]! > place; to--) indexes[to] = indexes[to - 1]!;
      }
      indexes[to] = place;
    }
    if (last - first > 16) indexes.subarray(first, last).sort();
  }
}

function transposeColumn(
  { starts, sequence, positions, up, down, ranks }: OrderingGraph,
  column: number,
  above: Uint32Array,
  below: Uint32Array,
): boolean {
  const start = starts[column]!;
  let changed = false;
  for (let at = start; at + 1 < starts[column + 1]!; at++) {
    const [upper, lower] = [sequence[at]!, sequence[at + 1]!];
    if (!Number.isNaN(ranks[upper]!) && !Number.isNaN(ranks[lower]!)) continue;
    const gain = balance(up.offsets, above, upper, lower) +
      balance(down.offsets, below, upper, lower);
    if (gain <= 0) continue;
    sequence[at] = lower;
    sequence[at + 1] = upper;
    positions[lower] = at - start;
    positions[upper] = at + 1 - start;
    changed = true;
  }
  return changed;
}

/** Crossings of the lines of two nodes, `upper` above `lower`, less those the other way round. */
function balance(offsets: Uint32Array, indexes: Uint32Array, upper: number, lower: number): number {
  const [upperEnd, lowerEnd] = [offsets[upper + 1]!, offsets[lower + 1]!];
  let below = offsets[lower]!;
  let equalFrom = below;
  let sum = 0;
  for (let i = offsets[upper]!; i < upperEnd; i++) {
    const place = indexes[i]!;
    while (below < lowerEnd && indexes[below]! < place) below++;
    equalFrom = Math.max(equalFrom, below);
    while (equalFrom < lowerEnd && indexes[equalFrom]! === place) equalFrom++;
    // Those before cross now; those after would cross.
    sum += (below - offsets[lower]!) - (lowerEnd - equalFrom);
  }
  return sum;
}
