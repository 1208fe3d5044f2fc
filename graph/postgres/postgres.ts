import { roomForNeighbours, withFirstNeighbours } from "#graph/first-level.ts";
import type { Direction, LineageGraph, Walk, WalkRequest } from "#graph/port.ts";
import {
  type FirstLevelRow,
  pairs,
  toFirstNeighbours,
  toWalk,
  type WalkRow,
} from "#graph/postgres/answer.ts";
import * as queries from "#graph/postgres/queries.ts";
import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/database.ts";

interface AmongRow extends Record<string, unknown> {
  head: number;
  whole: number;
  near: number[] | null;
  far: number[] | null;
}

/** Milliseconds beyond its own budget after which a question is given up as unanswered. */
const grace = 5_000;

/** Share of the time that the walk itself may take; edges and degrees need the rest. */
const walkShare = 0.6;

/** The marks of a walk keep level and count in 31 bits each. */
const maxDepth = 2 ** 31 - 2;

/**
 * The lineage graph that has no copy: it walks the live edges of the metadata itself, level by level
 * over sets, in one round trip. Closing it leaves the database open, which is the opener's.
 */
export class PostgresGraph implements LineageGraph {
  readonly engine = "postgres";
  readonly projection = "inline";

  constructor(private readonly db: Database) {}

  async walk(request: WalkRequest): Promise<Walk> {
    const roots = [...new Set(request.roots)];
    const [row] = await this.#ask<WalkRow>(request.timeoutMs, queries.walk, [
      roots,
      request.direction === "downstream",
      Math.min(request.depth, maxDepth),
      request.maxNodes,
      request.timeoutMs * walkShare,
    ], "lineage_walk");
    const walk = toWalk(row!, request);
    const room = roomForNeighbours(walk, request);
    return room > 0 ? await this.#withFirstLevel(walk, { ...request, roots }, room) : walk;
  }

  async #withFirstLevel(walk: Walk, request: WalkRequest, room: number): Promise<Walk> {
    const { roots, direction, timeoutMs } = request;
    const [row] = await this.#ask<FirstLevelRow>(timeoutMs, queries.firstLevel, [
      roots,
      direction === "downstream",
      room,
    ], "lineage_first_level");
    return withFirstNeighbours(walk, toFirstNeighbours(row!, direction), request);
  }

  async among(members: number[], budget: { maxNodes: number; timeoutMs: number }) {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const asked = sorted.slice(0, budget.maxNodes);
    const [row] = await this.#ask<AmongRow>(budget.timeoutMs, queries.among, [
      asked,
      budget.timeoutMs,
    ], "lineage_among");
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
    const [row] = await this.#ask<{ head: number }>(timeoutMs, queries.head, [], "lineage_head");
    return row!.head;
  }

  ping(timeoutMs: number): Promise<void> {
    return this.db.ping(timeoutMs);
  }

  async close(): Promise<void> {}

  #ask<R extends Record<string, unknown>>(
    timeoutMs: number,
    text: string,
    values: unknown[],
    name?: string,
  ): Promise<R[]> {
    return withTimeout(
      this.db.query<R>(text, values, name),
      timeoutMs + grace,
      () => unavailable("The lineage graph does not answer"),
    );
  }
}
