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
