import { type Connection, isTimeout } from "#graph/neo4j/connection.ts";
import type { Queries } from "#graph/neo4j/queries.ts";
import type { Extent, WalkResult } from "#graph/neo4j/reached.ts";
import type { WalkRequest } from "#graph/port.ts";

/** Milliseconds for the queries that complete an answer after its time is up. */
const afterwards = 2_000;

/**
 * A walk with one query per level, for several roots (a single query would walk shared paths once for each
 * root) and for a walk whose single query timed out. Reads nothing twice; when a budget ends the walk,
 * all earlier levels are complete. `deadline` is on the clock of `performance.now()`.
 */
export async function stepwise(
  connection: Connection,
  queries: Queries,
  request: WalkRequest,
  deadline: number,
): Promise<{ reached: WalkResult; extent: Extent }> {
  const { position } = await connection.read<{ position: number }>(
    queries.position,
    {},
    afterwards,
  );
  const { distances, ...ended } = await levels(connection, queries, request, deadline);
  const parameters = {
    ids: [...distances.keys()],
    distances: [...distances.values()],
    whole: ended.whole,
  };
  const time = Math.max(deadline - performance.now(), afterwards);
  const reached = await connection.read<WalkResult>(
    queries.detail(request.direction),
    parameters,
    time,
  );
  return { reached, extent: { position, ...ended } };
}

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
