/** Whose side of the root is asked for. */
export type Direction = "upstream" | "downstream";

/** Parent and child entity ids; data flows from parent to child. */
export type EdgePair = readonly [parent: number, child: number];

export interface WalkRequest {
  /** Start entities, distance 0. Never empty. */
  roots: number[];
  direction: Direction;
  /** Edges on the way from a root, at least 1. */
  depth: number;
  /** Most entities to reach, roots included. */
  maxNodes: number;
  /** Milliseconds for the whole call; used up means a truncated answer, not an error. */
  timeoutMs: number;
}

/** Neighbours in the whole live graph, distinct, a self-loop counted once each way. */
export interface Degrees {
  parents: number;
  children: number;
}

export interface Walk {
  /** Outbox position that the graph had reached before the walk. */
  position: number;
  /** Each once, in no particular order; every end is reached from a root within the depth. */
  edges: EdgePair[];
  /** For every end of an edge, and for the roots and the entities of `truncated` that have one. */
  degrees: Map<number, Degrees>;
  /**
   * Set when a budget ended the walk. The edges are then those up to the last level that was reached
   * whole, and `at` are the entities of that level that have neighbours in the direction. When the
   * first level alone is more than `maxNodes`, it is answered as far as the budget goes, by id; `at` are
   * then the roots with more neighbours, and the neighbours that have some of their own.
   */
  truncated?: { reason: "nodes" | "time"; at: { id: number; remainingDepth: number }[] };
}

/** The live edges of one entity, as the projector writes them. */
export interface GraphBatch {
  /** Outbox position after this batch. */
  position: number;
  /** Entities whose edges are replaced by exactly those of `edges` that touch them. */
  entities: number[];
  edges: EdgePair[];
}

/** Thrown by `apply` when a later leader owns the projection. */
export class StaleEpochError extends Error {
  constructor(readonly epoch: number, readonly current: number) {
    super(`projection epoch ${epoch} is over, ${current} is in force`);
    this.name = "StaleEpochError";
  }
}

/** The reading side of a lineage graph: what answers to questions about lineage need. Engine failures are 503 `AppError`s. */
export interface LineageGraph {
  readonly engine: "neo4j" | "postgres";
  /** `inline`: walks the system of record itself, has no copy and no lag. */
  readonly projection: "inline" | "projected";
  /**
   * Walks breadth first; each node once, so cycles end by themselves and the cost grows with what
   * is reached. A root that the graph does not hold yet gives no edges.
   */
  walk(request: WalkRequest): Promise<Walk>;
  /** All live edges with both ends among `members` (group lineage), with the same budgets. */
  among(
    members: number[],
    budget: { maxNodes: number; timeoutMs: number },
  ): Promise<{ position: number; edges: EdgePair[]; truncated?: { reason: "nodes" | "time" } }>;
  /** Distinct neighbours one hop away from any of `ids`, `ids` themselves excluded. */
  neighbours(ids: number[], direction: Direction, timeoutMs: number): Promise<number[]>;
  /** Outbox position reached. */
  position(timeoutMs: number): Promise<number>;
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The writing side of a graph that is a copy (`projection: "projected"`). */
export interface ProjectedGraph extends LineageGraph {
  readonly projection: "projected";
  /** Constraints and indexes; safe when several processes do it at once. */
  ensureSchema(): Promise<void>;
  /** Takes the projection over: raises its epoch to `epoch` and returns the position it stands at. */
  claim(epoch: number): Promise<number>;
  /** Writes one batch and moves the position, in one transaction fenced by `epoch`. */
  apply(epoch: number, batch: GraphBatch): Promise<void>;
  /** Removes everything of this instance; the position becomes 0. */
  clear(epoch: number): Promise<void>;
  /** Every live edge, in batches of at most `size`, ordered by (parent, child); for verify. */
  scan(size: number): AsyncIterable<EdgePair[]>;
}

/** Whether the graph is a copy that has to be written. */
export function isProjected(graph: LineageGraph): graph is ProjectedGraph {
  return graph.projection === "projected";
}
