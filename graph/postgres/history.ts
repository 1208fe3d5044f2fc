import { capacityForNeighbours, withFirstNeighbours } from "#graph/first-level.ts";
import {
  type Comparison,
  type Direction,
  type EdgePair,
  edgesWithout,
  type LineageHistory,
  type PastWalk,
  type WalkRequest,
} from "#graph/port.ts";
import * as queries from "#graph/postgres/answer.ts";
import {
  maxDepth,
  pairs,
  statementFor,
  toAmong,
  toFirstNeighbours,
  toWalk,
  type WalkRow,
  walkShare,
} from "#graph/postgres/answer.ts";
import type { Database } from "#metadata/postgres/database.ts";

/** Roots of a walk, and its point in time. */
interface Turn {
  roots: number[];
  at: Date;
}

/**
 * Lineage as of past times, from the edges and their history in the metadata. It serves whatever engine walks the
 * lineage of today: the history has no second copy.
 */
export class PostgresHistory implements LineageHistory {
  constructor(private readonly db: Database) {}

  async walk(request: WalkRequest, at: Date): Promise<PastWalk> {
    const roots = [...new Set(request.roots)];
    const [row] = await statementFor(this.db, request.timeoutMs, queries.walkAt, [
      roots,
      request.direction === "downstream",
      Math.min(request.depth, maxDepth),
      request.maxNodes,
      request.timeoutMs * walkShare,
      at,
    ]);
    const walk = toPastWalk(row!, request);
    const capacity = capacityForNeighbours(walk, request);
    return capacity > 0
      ? await this.#withFirstLevel(walk, { ...request, roots }, at, capacity)
      : walk;
  }

  async #withFirstLevel(walk: PastWalk, request: WalkRequest, at: Date, capacity: number) {
    const { roots, direction, timeoutMs } = request;
    const values = [roots, direction === "downstream", capacity, at];
    const [row] = await statementFor(this.db, timeoutMs, queries.firstLevelAt, values);
    const found = withFirstNeighbours(walk, toFirstNeighbours(row!, direction), request);
    return { ...found, wholeDepth: 0 };
  }

  async among(members: number[], at: Date, budget: { maxNodes: number; timeoutMs: number }) {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const within = sorted.slice(0, budget.maxNodes);
    const values = [within, budget.timeoutMs, at];
    const [row] = await statementFor(this.db, budget.timeoutMs, queries.amongAt, values);
    return toAmong(row!, within.length, sorted.length);
  }

  async compare(
    request: Omit<WalkRequest, "roots">,
    before: Turn,
    after: Turn,
  ): Promise<Comparison> {
    const { direction, depth, maxNodes, timeoutMs } = request;
    const rows = await statementFor(this.db, timeoutMs, queries.walksAt, [
      [...new Set(before.roots)],
      direction === "downstream",
      Math.min(depth, maxDepth),
      maxNodes,
      timeoutMs / 2 * walkShare,
      before.at,
      [...new Set(after.roots)],
      after.at,
    ]);
    const walkOf = (turn: number) =>
      toPastWalk(rows.find((row) => row.turn === turn)!, { direction, depth });
    const [one, other] = [walkOf(0), walkOf(1)];
    const [stoodAfter, stoodBefore] = await Promise.all([
      this.#edgesAsOf(edgesWithout(one.edges, other.edges), direction, after.at, timeoutMs),
      this.#edgesAsOf(edgesWithout(other.edges, one.edges), direction, before.at, timeoutMs),
    ]);
    return { before: one, after: other, stoodAfter, stoodBefore };
  }

  /** Those of the edges that stood at a time. They are looked up from the ends that the walk came from. */
  async #edgesAsOf(
    edges: EdgePair[],
    direction: Direction,
    at: Date,
    timeoutMs: number,
  ): Promise<EdgePair[]> {
    if (edges.length === 0) return [];
    const downstream = direction === "downstream";
    const ends = [edges.map(([parent]) => parent), edges.map(([, child]) => child)];
    const values = [...downstream ? ends : ends.reverse(), downstream, at];
    const rows = await statementFor(this.db, timeoutMs, queries.edgesAsOf, values);
    return pairs(rows.map(({ near }) => near), rows.map(({ far }) => far), direction);
  }
}

function toPastWalk(row: WalkRow, request: { direction: Direction; depth: number }): PastWalk {
  const walk = toWalk({ ...row, ids: row.ids ?? [] }, request);
  return { ...walk, wholeDepth: walk.truncated ? row.whole : request.depth };
}
