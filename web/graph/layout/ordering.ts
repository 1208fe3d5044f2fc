import type { Adjacency } from "#web/graph/adjacency.ts";

/** The nodes of each column from top to bottom. */
export interface Order {
  /** Column c has the nodes `sequence[starts[c]]` to `sequence[starts[c + 1] - 1]`. */
  starts: Uint32Array;
  sequence: Uint32Array;
  /** Place of each node in its column. */
  positions: Uint32Array;
}

/** A graph whose columns are being put in order, with what all steps need. */
export interface OrderingGraph extends Order {
  up: Adjacency;
  down: Adjacency;
  /** Rank that a node keeps among those that have one; NaN where it may go anywhere. */
  ranks: Float32Array;
}

/** Writes the places of the nodes of a column, after their sequence. */
export function place({ starts, sequence, positions }: Order, column: number): void {
  const start = starts[column]!;
  for (let at = start; at < starts[column + 1]!; at++) positions[sequence[at]!] = at - start;
}
