import { capacityForNeighbours, withFirstNeighbours } from "#graph/first-level.ts";
import type { Direction, LineageGraph, Walk, WalkRequest } from "#graph/port.ts";
import * as queries from "#graph/postgres/answer.ts";
import {
  maxDepth,
  statementFor,
  toAmong,
  toFirstNeighbours,
  toWalk,
  walkShare,
} from "#graph/postgres/answer.ts";
import type { Database } from "#metadata/postgres/database.ts";

/**
 * The lineage graph without a copy: walks the live edges of the metadata, level by level as sets, in one
 * round trip. Closing it leaves the database open.
 */
export class PostgresGraph implements LineageGraph {
  readonly engine = "postgres";
  readonly projection = "inline";

  constructor(private readonly db: Database) {}

  async walk(request: WalkRequest): Promise<Walk> {
    const roots = [...new Set(request.roots)];
    const [row] = await statementFor(this.db, request.timeoutMs, queries.walk, [
      roots,
      request.direction === "downstream",
      Math.min(request.depth, maxDepth),
      request.maxNodes,
      request.timeoutMs * walkShare,
    ]);
    const walk = toWalk(row!, request);
    const capacity = capacityForNeighbours(walk, request);
    return capacity > 0 ? await this.#withFirstLevel(walk, { ...request, roots }, capacity) : walk;
  }

  async #withFirstLevel(walk: Walk, request: WalkRequest, capacity: number): Promise<Walk> {
    const { roots, direction, timeoutMs } = request;
    const [row] = await statementFor(this.db, timeoutMs, queries.firstLevel, [
      roots,
      direction === "downstream",
      capacity,
    ]);
    return withFirstNeighbours(walk, toFirstNeighbours(row!, direction), request);
  }

  async among(members: number[], budget: { maxNodes: number; timeoutMs: number }) {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const within = sorted.slice(0, budget.maxNodes);
    const [row] = await statementFor(this.db, budget.timeoutMs, queries.among, [
      within,
      budget.timeoutMs,
    ]);
    return toAmong(row!, within.length, sorted.length);
  }

  async neighbours(ids: number[], direction: Direction, timeoutMs: number): Promise<number[]> {
    const rows = await statementFor<{ id: number }>(this.db, timeoutMs, queries.neighbours, [
      ids,
      direction === "downstream",
    ]);
    return rows.map((row) => row.id);
  }

  async position(timeoutMs: number): Promise<number> {
    const [row] = await statementFor(this.db, timeoutMs, queries.head);
    return row!.head;
  }

  ping(timeoutMs: number): Promise<void> {
    return this.db.ping(timeoutMs);
  }

  async close(): Promise<void> {}
}
