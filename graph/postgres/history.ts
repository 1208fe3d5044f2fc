import { capacityForNeighbours, withFirstNeighbours } from "#graph/first-level.ts";
import type {
  Comparison,
  Direction,
  EdgePair,
  LineageHistory,
  PastWalk,
  WalkRequest,
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
import type { Statement } from "#metadata/postgres/statement.ts";

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
    const [row] = await this.#ask(request.timeoutMs, queries.walkAt, [
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
    const [row] = await this.#ask(timeoutMs, queries.firstLevelAt, values);
    const found = withFirstNeighbours(walk, toFirstNeighbours(row!, direction), request);
    return { ...found, wholeDepth: 0 };
  }

  async among(members: number[], at: Date, budget: { maxNodes: number; timeoutMs: number }) {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const within = sorted.slice(0, budget.maxNodes);
    const values = [within, budget.timeoutMs, at];
    const [row] = await this.#ask(budget.timeoutMs, queries.amongAt, values);
    return toAmong(row!, within.length, sorted.length);
  }

  async compare(
    request: Omit<WalkRequest, "roots">,
    before: Turn,
    after: Turn,
  ): Promise<Comparison> {
    const { direction, depth, maxNodes, timeoutMs } = request;
    const rows = await this.#ask(timeoutMs, queries.walksAt, [
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
      this.#edgesAsOf(without(one.edges, other.edges), direction, after.at, timeoutMs),
      this.#edgesAsOf(without(other.edges, one.edges), direction, before.at, timeoutMs),
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
    const rows = await this.#ask(timeoutMs, queries.edgesAsOf, values);
    return pairs(rows.map(({ near }) => near), rows.map(({ far }) => far), direction);
  }

  #ask<R>(timeoutMs: number, statement: Statement<R>, values: unknown[]): Promise<R[]> {
    return statementFor(this.db, timeoutMs, statement, values);
  }
}

function toPastWalk(row: WalkRow, request: { direction: Direction; depth: number }): PastWalk {
  const walk = toWalk({ ...row, ids: row.ids ?? [] }, request);
  return { ...walk, wholeDepth: walk.truncated ? row.whole : request.depth };
}

/** The edges of the first list that the second one has not. */
function without(edges: EdgePair[], others: EdgePair[]): EdgePair[] {
  const known = new Set(others.map(([parent, child]) => `${parent}>${child}`));
  return edges.filter(([parent, child]) => !known.has(`${parent}>${child}`));
}
