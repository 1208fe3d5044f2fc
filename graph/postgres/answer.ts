import type { FirstNeighbours } from "#graph/first-level.ts";
import type { Degrees, Direction, EdgePair, Walk } from "#graph/port.ts";
import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { type Statement, statement } from "#metadata/postgres/statement.ts";

/** A row of `lineage_walk`; an empty aggregate is null. */
export interface WalkRow {
  head: number;
  whole: number;
  complete: boolean;
  over: boolean;
  near: number[] | null;
  far: number[] | null;
  ids: number[];
  against_ids: number[] | null;
  against: number[] | null;
  frontier: number;
  along_ids: number[] | null;
  along: number[] | null;
}

/** A row of `lineage_among`. */
interface AmongRow {
  head: number;
  whole: number;
  near: number[] | null;
  far: number[] | null;
}

/** A row of `lineage_first_level`; an empty aggregate is null. */
interface FirstLevelRow {
  near: number[] | null;
  far: number[] | null;
  ids: number[] | null;
  parents_of: number[] | null;
  parents: number[] | null;
  children_of: number[] | null;
  children: number[] | null;
}

/** The walks are functions of the schema. */
export const walk = statement<WalkRow>("lineage_walk")`
  SELECT head, whole, complete, over, near, far, ids, against_ids, against, frontier,
    along_ids, along
  FROM lineage_walk($1, $2, $3, $4, $5 * interval '1 millisecond')`;

export const firstLevel = statement<FirstLevelRow>("lineage_first_level")`
  SELECT near, far, ids, parents_of, parents, children_of, children
  FROM lineage_first_level($1, $2, $3)`;

export const among = statement<AmongRow>("lineage_among")`
  SELECT head, whole, near, far FROM lineage_among($1, $2 * interval '1 millisecond')`;

/** As `walk`, with $6 the point in time. */
export const walkAt = statement<WalkRow>("lineage_walk_at")`
  SELECT head, whole, complete, over, near, far, ids, against_ids, against, frontier,
    along_ids, along
  FROM lineage_walk_at($1, $2, $3, $4, $5 * interval '1 millisecond', $6)`;

export const firstLevelAt = statement<FirstLevelRow>("lineage_first_level_at")`
  SELECT near, far, ids, parents_of, parents, children_of, children
  FROM lineage_first_level_at($1, $2, $3, $4)`;

export const amongAt = statement<AmongRow>("lineage_among_at")`
  SELECT head, whole, near, far FROM lineage_among_at($1, $2 * interval '1 millisecond', $3)`;

/** $1 near ends, $2 far ends, $3 whether downstream, $4 the time: those that stood then. */
export const edgesAsOf = statement<{ near: number; far: number }>("lineage_standing_at")`
  SELECT near, far FROM lineage_standing_at($1, $2, $3, $4)`;

/**
 * $1 roots before, $2 whether downstream, $3 depth, $4 most nodes, $5 milliseconds of each walk, $6 the time before, $7
 * roots after, $8 the time after. One statement, and so one state of the store.
 */
export const walksAt = statement<WalkRow & { turn: number }>("lineage_walks_at")`
  SELECT 0 AS turn, b.* FROM lineage_walk_at($1, $2, $3, $4, $5 * interval '1 millisecond', $6) b
  UNION ALL
  SELECT 1, a.* FROM lineage_walk_at($7, $2, $3, $4, $5 * interval '1 millisecond', $8) a`;

export const neighbours = `
  SELECT DISTINCT t.far AS id FROM lineage_touching($1, $2) t WHERE t.far <> ALL ($1)`;

export const head = statement<{ head: number }>("lineage_head")`SELECT lineage_head() AS head`;

/** Milliseconds beyond the query's own budget after which it counts as unanswered. */
const graceMs = 5_000;

/** Share of the time for the walk itself; reading edges and degrees needs the rest. */
export const walkShare = 0.6;

/** The walk's bookkeeping stores level and count in 31 bits each. */
export const maxDepth = 2 ** 31 - 2;

/** The rows of a statement of the graph; 503 when they do not come in time. */
export function statementFor<R>(
  db: Database,
  timeoutMs: number,
  query: Statement<R> | string,
  values: unknown[] = [],
): Promise<R[]> {
  return withTimeout(
    db.query(query, values),
    timeoutMs + graceMs,
    () => unavailable("The lineage graph does not answer"),
  );
}

/** Edges from parallel lists of near ends (on the root's side) and far ends. */
export function pairs(
  near: number[] | null,
  far: number[] | null,
  direction: Direction,
): EdgePair[] {
  if (!near || !far) return [];
  return direction === "downstream"
    ? near.map((parent, i) => [parent, far[i]!])
    : near.map((child, i) => [far[i]!, child]);
}

/** Converts a row to the port's answer to `request`. */
export function toWalk(row: WalkRow, request: { direction: Direction; depth: number }): Walk {
  const along = countAlong(row);
  const against = counts(row.against_ids, row.against);
  const answer: Walk = {
    position: row.head,
    edges: pairs(row.near, row.far, request.direction),
    degrees: degreesOf(row.ids, along, against, request.direction),
  };
  if (row.complete) return answer;
  const remainingDepth = request.depth - row.whole;
  const at = row.ids.slice(row.ids.length - row.frontier)
    .filter((id) => along.has(id))
    .map((id) => ({ id, remainingDepth }));
  return at.length === 0
    ? answer
    : { ...answer, truncated: { reason: row.over ? "nodes" : "time", at } };
}

/** Converts a row to the port's result; `within` of `all` members were requested. */
export function toAmong(row: AmongRow, within: number, all: number) {
  const answer = { position: row.head, edges: pairs(row.near, row.far, "downstream") };
  if (row.whole < within) return { ...answer, truncated: { reason: "time" as const } };
  return within < all ? { ...answer, truncated: { reason: "nodes" as const } } : answer;
}

export function toFirstNeighbours(row: FirstLevelRow, direction: Direction): FirstNeighbours {
  const parents = counts(row.parents_of, row.parents);
  const children = counts(row.children_of, row.children);
  return {
    edges: pairs(row.near, row.far, direction),
    degrees: new Map((row.ids ?? []).map((id) => [
      id,
      { parents: parents.get(id) ?? 0, children: children.get(id) ?? 0 },
    ])),
  };
}

function counts(ids: number[] | null, numbers: number[] | null): Map<number, number> {
  return new Map((ids ?? []).map((id, i) => [id, numbers![i]!]));
}

/** Neighbours in the walk's direction: counted by the engine for the frontier, here for the others. */
function countAlong(row: WalkRow): Map<number, number> {
  const along = counts(row.along_ids, row.along);
  for (const id of row.near ?? []) along.set(id, (along.get(id) ?? 0) + 1);
  return along;
}

function degreesOf(
  ids: number[],
  along: Map<number, number>,
  against: Map<number, number>,
  direction: Direction,
): Map<number, Degrees> {
  const [parents, children] = direction === "downstream" ? [against, along] : [along, against];
  const degrees = new Map<number, Degrees>();
  for (const id of ids) {
    const found = { parents: parents.get(id) ?? 0, children: children.get(id) ?? 0 };
    if (found.parents + found.children > 0) degrees.set(id, found);
  }
  return degrees;
}
