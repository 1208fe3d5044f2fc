import {
  capacityForNeighbours,
  type FirstNeighbours,
  withFirstNeighbours,
} from "#graph/first-level.ts";
import { Connection, isTimeout, type Neo4jOptions } from "#graph/neo4j/connection.ts";
import { Projection } from "#graph/neo4j/projection.ts";
import { type Queries, queriesFor, versionText } from "#graph/neo4j/queries.ts";
import type {
  Degrees,
  Direction,
  EdgePair,
  ProjectedGraph,
  Walk,
  WalkRequest,
} from "#graph/port.ts";

/** Share of a walk's time for its single query; the rest is for the walk level by level that may follow. */
const firstShare = 0.5;

/** Longest path length that Neo4j supports in a pattern. */
const maxDepth = 2 ** 31 - 2;

/**
 * The lineage graph in Neo4j: nodes have only the entity id, each live pair is one relationship, and a single
 * node holds the epoch and outbox position of the projection. Walks are Cypher queries.
 */
export class Neo4jGraph extends Projection implements ProjectedGraph {
  readonly engine = "neo4j";
  readonly projection = "projected";

  constructor(options: Neo4jOptions) {
    super(new Connection(options), queriesFor(options.instance));
  }

  async walk(request: WalkRequest): Promise<Walk> {
    const distinct = { ...request, roots: [...new Set(request.roots)] };
    const walk = await this.#walkInTime(distinct);
    const capacity = capacityForNeighbours(walk, distinct);
    return capacity > 0 ? await this.#withFirstLevel(walk, distinct, capacity) : walk;
  }

  /** Uses a single query when there is one root and the time suffices; otherwise one query per level. */
  async #walkInTime(request: WalkRequest): Promise<Walk> {
    const bounded = { ...request, depth: Math.min(request.depth, maxDepth) };
    const deadline = performance.now() + request.timeoutMs;
    if (bounded.roots.length === 1 && bounded.timeoutMs > 0) {
      try {
        const { reached, extent } = await this.#walkInOneQuery(bounded);
        return toWalk(reached, extent, request);
      } catch (error) {
        if (!isTimeout(error)) throw error;
      }
    }
    const { reached, extent } = await stepwise(this.connection, this.queries, bounded, deadline);
    return toWalk(reached, extent, request);
  }

  async #withFirstLevel(walk: Walk, request: WalkRequest, capacity: number): Promise<Walk> {
    const { roots, direction, timeoutMs } = request;
    const text = this.queries.firstLevel(direction);
    const row = await this.connection.read<FirstLevel>(text, { roots, room: capacity }, timeoutMs);
    return withFirstNeighbours(walk, toFirstNeighbours(row, direction), request);
  }

  async among(members: number[], budget: { maxNodes: number; timeoutMs: number }) {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const ids = sorted.slice(0, budget.maxNodes);
    try {
      if (budget.timeoutMs <= 0) return await this.#outOfTime();
      const row = await this.connection.read<
        { position: number; parents: number[]; children: number[] }
      >(this.queries.among, { ids }, budget.timeoutMs);
      const edges = row.parents.map((parent, i): EdgePair => [parent, row.children[i]!]);
      const answer = { position: row.position, edges };
      if (ids.length === sorted.length) return answer;
      return { ...answer, truncated: { reason: "nodes" as const } };
    } catch (error) {
      if (!isTimeout(error)) throw error;
      return await this.#outOfTime();
    }
  }

  async neighbours(ids: number[], direction: Direction, timeoutMs: number): Promise<number[]> {
    const text = this.queries.neighbours(direction);
    return (await this.connection.read<{ ids: number[] }>(text, { ids }, timeoutMs)).ids;
  }

  async position(timeoutMs: number): Promise<number> {
    const text = this.queries.position;
    return (await this.connection.read<{ position: number }>(text, {}, timeoutMs)).position;
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.position(timeoutMs);
  }

  async version(timeoutMs: number): Promise<string> {
    return (await this.connection.read<{ version: string }>(versionText, {}, timeoutMs)).version;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  async #walkInOneQuery(request: WalkRequest): Promise<{ reached: WalkResult; extent: Extent }> {
    const { position, ...reached } = await this.connection.read<WalkResult & { position: number }>(
      this.queries.walk(request.direction, boundFor(request.depth)),
      { root: request.roots[0], depth: request.depth, limit: request.maxNodes + 1 },
      request.timeoutMs * firstShare,
    );
    return { reached, extent: { position, ...extentOf(reached, request.depth, request.maxNodes) } };
  }

  async #outOfTime() {
    const position = await this.position(1_000);
    return { position, edges: [], truncated: { reason: "time" as const } };
  }
}

/** Milliseconds for the queries that complete an answer after its time is up. */
const completionMs = 2_000;

/**
 * A walk with one query per level, for several roots (a single query would walk shared paths once for each
 * root) and for a walk whose single query timed out. Reads nothing twice; when a budget ends the walk,
 * all earlier levels are complete. `deadline` is on the clock of `performance.now()`.
 */
async function stepwise(
  connection: Connection,
  queries: Queries,
  request: WalkRequest,
  deadline: number,
): Promise<{ reached: WalkResult; extent: Extent }> {
  const { position } = await connection.read<{ position: number }>(
    queries.position,
    {},
    completionMs,
  );
  const { distances, ...ended } = await levels(connection, queries, request, deadline);
  const parameters = {
    ids: [...distances.keys()],
    distances: [...distances.values()],
    whole: ended.whole,
  };
  const time = Math.max(deadline - performance.now(), completionMs);
  const reached = await connection.read<WalkResult>(
    queries.detail(request.direction),
    parameters,
    time,
  );
  return { reached, extent: { position, ...ended } };
}

/** The entities that the levels reached, and how far they got. */
interface Levels extends Omit<Extent, "position"> {
  /** By entity, nearest first. */
  distances: Map<number, number>;
}

async function levels(
  connection: Connection,
  queries: Queries,
  request: WalkRequest,
  deadline: number,
): Promise<Levels> {
  const distances = new Map(request.roots.map((id) => [id, 0]));
  const text = queries.step(request.direction);
  let frontier = request.roots;
  for (let whole = 0;; whole++) {
    if (whole === request.depth || frontier.length === 0) return { distances, whole };
    const time = deadline - performance.now();
    if (time <= 0) return { distances, whole, reason: "time" };
    try {
      // Known entities may be returned again; besides those, one more than the budget is requested.
      const limit = request.maxNodes + 1;
      const { ids } = await connection.read<{ ids: number[] }>(
        text,
        { ids: frontier, limit },
        time,
      );
      frontier = ids.filter((id) => !distances.has(id));
    } catch (error) {
      if (!isTimeout(error)) throw error;
      return { distances, whole, reason: "time" };
    }
    if (distances.size + frontier.length > request.maxNodes) {
      return { distances, whole, reason: "nodes" };
    }
    for (const id of frontier) distances.set(id, whole + 1);
  }
}

/** The entities that a walk reached, nearest first; the lists are parallel. */
interface WalkResult {
  ids: number[];
  /** Levels from the nearest root. */
  distances: number[];
  /** Number of distinct neighbours in the whole graph. */
  parents: number[];
  children: number[];
  /** Neighbours in the direction of the walk; filled for entities whose neighbours the walk followed. */
  far: number[][];
}

/** How far a walk got, at which position of the projection. */
interface Extent {
  position: number;
  /** Last level that was reached completely. */
  whole: number;
  /** The budget that ended the walk, if any. */
  reason?: "nodes" | "time";
}

/** How far a single-query walk got; the query asked for one entity more than the budget. */
function extentOf(
  { distances }: WalkResult,
  depth: number,
  maxNodes: number,
): Omit<Extent, "position"> {
  const first = distances[maxNodes];
  if (first === undefined || first > depth) return { whole: depth };
  return { whole: first - 1, reason: "nodes" };
}

/** The result as the port defines it: every edge up to the last complete level. */
function toWalk(
  reached: WalkResult,
  extent: Extent,
  request: { direction: Direction; depth: number },
): Walk {
  const edges: EdgePair[] = [];
  const degrees = new Map<number, Degrees>();
  const at: { id: number; remainingDepth: number }[] = [];
  const downstream = request.direction === "downstream";
  for (let i = 0; i < reached.ids.length && reached.distances[i]! <= extent.whole; i++) {
    const id = reached.ids[i]!;
    const degree = { parents: reached.parents[i]!, children: reached.children[i]! };
    degrees.set(id, degree);
    if (reached.distances[i]! < extent.whole) {
      for (const far of reached.far[i]!) edges.push(downstream ? [id, far] : [far, id]);
    } else if ((downstream ? degree.children : degree.parents) > 0) {
      at.push({ id, remainingDepth: request.depth - extent.whole });
    }
  }
  const answer: Walk = { position: extent.position, edges, degrees };
  if (!extent.reason || at.length === 0) return answer;
  return { ...answer, truncated: { reason: extent.reason, at } };
}

/** Neighbours of roots with their degrees, and the ends of the edges between roots and neighbours. */
interface FirstLevel {
  ids: number[];
  parents: number[];
  children: number[];
  near: number[];
  far: number[];
}

function toFirstNeighbours(row: FirstLevel, direction: Direction): FirstNeighbours {
  const downstream = direction === "downstream";
  return {
    edges: row.near.map((near, i) => downstream ? [near, row.far[i]!] : [row.far[i]!, near]),
    degrees: new Map(
      row.ids.map((id, i) => [id, { parents: row.parents[i]!, children: row.children[i]! }]),
    ),
  };
}

/**
 * The bound in the query text for a walk of `depth` levels: the depth itself up to 20, the usual range, and
 * beyond it the next power of two. So the plan cache holds at most 31 queries per direction; entities farther
 * than the depth are removed by their distance.
 */
function boundFor(depth: number): number {
  if (depth <= 20) return depth;
  return Math.min(2 ** Math.ceil(Math.log2(depth)), 2 ** 31 - 1);
}
