import { roomForNeighbours, withFirstNeighbours } from "#graph/first-level.ts";
import type { Direction, LineageGraph, Walk, WalkRequest } from "#graph/port.ts";
import { pairs, toFirstNeighbours, toWalk } from "#graph/postgres/answer.ts";
import * as queries from "#graph/postgres/queries.ts";
import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { Statement } from "#metadata/postgres/statement.ts";

/** Milliseconds beyond the query's own budget after which it counts as unanswered. */
const grace = 5_000;

/** Share of the time for the walk itself; reading edges and degrees needs the rest. */
const walkShare = 0.6;

/** The walk's bookkeeping stores level and count in 31 bits each. */
const maxDepth = 2 ** 31 - 2;

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
    const [row] = await this.#ask(request.timeoutMs, queries.walk, [
      roots,
      request.direction === "downstream",
      Math.min(request.depth, maxDepth),
      request.maxNodes,
      request.timeoutMs * walkShare,
    ]);
    const walk = toWalk(row!, request);
    const room = roomForNeighbours(walk, request);
    return room > 0 ? await this.#withFirstLevel(walk, { ...request, roots }, room) : walk;
  }

  async #withFirstLevel(walk: Walk, request: WalkRequest, room: number): Promise<Walk> {
    const { roots, direction, timeoutMs } = request;
    const [row] = await this.#ask(timeoutMs, queries.firstLevel, [
      roots,
      direction === "downstream",
      room,
    ]);
    return withFirstNeighbours(walk, toFirstNeighbours(row!, direction), request);
  }

  async among(members: number[], budget: { maxNodes: number; timeoutMs: number }) {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const asked = sorted.slice(0, budget.maxNodes);
    const [row] = await this.#ask(budget.timeoutMs, queries.among, [
      asked,
      budget.timeoutMs,
    ]);
    const answer = { position: row!.head, edges: pairs(row!.near, row!.far, "downstream") };
    if (row!.whole < asked.length) return { ...answer, truncated: { reason: "time" as const } };
    if (asked.length < sorted.length) return { ...answer, truncated: { reason: "nodes" as const } };
    return answer;
  }

  async neighbours(ids: number[], direction: Direction, timeoutMs: number): Promise<number[]> {
    const rows = await this.#ask<{ id: number }>(timeoutMs, queries.neighbours, [
      ids,
      direction === "downstream",
    ]);
    return rows.map((row) => row.id);
  }

  async position(timeoutMs: number): Promise<number> {
    const [row] = await this.#ask(timeoutMs, queries.head, []);
    return row!.head;
  }

  ping(timeoutMs: number): Promise<void> {
    return this.db.ping(timeoutMs);
  }

  async close(): Promise<void> {}

  #ask<R>(
    timeoutMs: number,
    statement: Statement<R> | string,
    values: unknown[] = [],
  ): Promise<R[]> {
    return withTimeout(
      this.db.query(statement, values),
      timeoutMs + grace,
      () => unavailable("The lineage graph does not answer"),
    );
  }
}
