/** Direction of a walk, seen from the root. */
export type Direction = "upstream" | "downstream";

/** Parent and child entity ids; data flows from parent to child. */
export type EdgePair = readonly [parent: number, child: number];

export interface WalkRequest {
  /** Start entities, distance 0. Never empty. */
  roots: number[];
  direction: Direction;
  /** Maximum number of edges on a path from a root, at least 1. */
  depth: number;
  /** Maximum number of entities to reach, including roots. */
  maxNodes: number;
  /** Milliseconds for the whole call; when they run out the answer is truncated, not an error. */
  timeoutMs: number;
}

/** Numbers of neighbours in the whole live graph: distinct; a self-loop counts once in each direction. */
export interface Degrees {
  parents: number;
  children: number;
}

export interface Walk {
  /** Outbox position that the graph had reached before the walk began. */
  position: number;
  /** Each edge once, in no particular order; both ends are reached from a root within the depth. */
  edges: EdgePair[];
  /** For both ends of every edge, and for those roots and entities of `truncated` that have neighbours. */
  degrees: Map<number, Degrees>;
  /**
   * Set when a budget ended the walk. The edges are then those up to the last level that was reached
   * completely, and `at` lists the entities of that level that have neighbours in the direction. When the
   * first level alone exceeds `maxNodes`, as much of it as the budget allows is returned, by id; `at` lists
   * the roots with more neighbours, and the returned neighbours that have neighbours themselves.
   */
  truncated?: { reason: "nodes" | "time"; at: { id: number; remainingDepth: number }[] };
}

/** A walk over what stood at a past time. */
export interface PastWalk extends Walk {
  /** The last level whose entities were all reached: the requested depth when the walk is complete. */
  wholeDepth: number;
}

/** Walks from the same roots over what stood at two times, read from one state of the store. */
export interface Comparison {
  before: PastWalk;
  after: PastWalk;
  /** Edges of one walk alone that stood at the time of the other too: there the walk did not come to them. */
  stoodAfter: EdgePair[];
  stoodBefore: EdgePair[];
}

/**
 * Lineage as of past times. An edge stands at a time when it was declared then (intervals are half-open) and neither
 * of its ends was deleted; times are those of the catalogue. Roots and members are taken to have been there.
 */
export interface LineageHistory {
  /** As `LineageGraph.walk`, with the degrees of that time. */
  walk(request: WalkRequest, at: Date): Promise<PastWalk>;
  /** As `LineageGraph.among`. */
  among(
    members: number[],
    at: Date,
    budget: { maxNodes: number; timeoutMs: number },
  ): Promise<{ position: number; edges: EdgePair[]; truncated?: { reason: "nodes" | "time" } }>;
  /**
   * Both walks, each with half the time and from its own roots. A first level that exceeds the budget is left out, so
   * that its whole depth is 0.
   */
  compare(
    request: Omit<WalkRequest, "roots">,
    before: { roots: number[]; at: Date },
    after: { roots: number[]; at: Date },
  ): Promise<Comparison>;
}

/** The live edges of some entities, as the projector writes them. */
export interface GraphBatch {
  /** Outbox position after this batch. */
  position: number;
  /** All edges of these entities are replaced by those of `edges` that touch them. */
  entities: number[];
  edges: EdgePair[];
}

/** Thrown by `apply` when a later leader has taken over the projection. */
export class StaleEpochError extends Error {
  constructor(readonly epoch: number, readonly current: number) {
    super(`projection epoch ${epoch} is over, ${current} is in force`);
    this.name = "StaleEpochError";
  }
}

/** The reading side of a lineage graph. Engine failures are 503 `AppError`s. */
export interface LineageGraph {
  readonly engine: "neo4j" | "postgres";
  /** `inline`: queries the system of record directly, without a copy and without lag. */
  readonly projection: "inline" | "projected";
  /**
   * Walks breadth first and visits each node once, so cycles terminate and the cost depends on the number of
   * nodes reached. A root that the graph does not hold yet has no edges.
   */
  walk(request: WalkRequest): Promise<Walk>;
  /** All live edges with both ends among `members` (group lineage), within the same budgets. */
  among(
    members: number[],
    budget: { maxNodes: number; timeoutMs: number },
  ): Promise<{ position: number; edges: EdgePair[]; truncated?: { reason: "nodes" | "time" } }>;
  /** Distinct neighbours one edge away from any of `ids`, excluding `ids` themselves. */
  neighbours(ids: number[], direction: Direction, timeoutMs: number): Promise<number[]>;
  /** Outbox position that the graph has reached. */
  position(timeoutMs: number): Promise<number>;
  ping(timeoutMs: number): Promise<void>;
  /** Release of an engine of its own; absent where the metadata store is the engine. */
  version?(timeoutMs: number): Promise<string>;
  close(): Promise<void>;
}

/** The writing side of a graph that is a copy (`projection: "projected"`). */
export interface ProjectedGraph extends LineageGraph {
  readonly projection: "projected";
  /** Creates constraints and indexes; safe when several processes do it at once. */
  ensureSchema(): Promise<void>;
  /** Takes over the projection: raises its epoch to `epoch` and returns its outbox position. */
  claim(epoch: number): Promise<number>;
  /** Writes one batch and advances the position, in one transaction fenced by `epoch`. */
  apply(epoch: number, batch: GraphBatch): Promise<void>;
  /** Removes everything of this instance; the position becomes 0. */
  clear(epoch: number): Promise<void>;
  /** Every live edge, in batches of at most `size`, ordered by (parent, child); used by `verify`. */
  scan(size: number): AsyncIterable<EdgePair[]>;
}

/** Whether the graph is a copy, which has to be written by the projector. */
export function isProjected(graph: LineageGraph): graph is ProjectedGraph {
  return graph.projection === "projected";
}

/** The edges of the first list that the second one has not. */
export function edgesWithout(edges: readonly EdgePair[], others: readonly EdgePair[]): EdgePair[] {
  const known = new Set(others.map(([parent, child]) => `${parent}>${child}`));
  return edges.filter(([parent, child]) => !known.has(`${parent}>${child}`));
}
