import { ask, type Schema } from "#web/api/client.ts";
import type { ApiLineage } from "#web/graph/answers.ts";
import { withinHops } from "#web/graph/hops.ts";
import type { Depth, Side } from "#web/features/lineage/address.ts";

/** The service walks no further than its budgets, which answers tell. */
export const allDepth = 1_000_000;

/** Edges of a way with so many hops when one job is on each. */
export function edgesFor(depth: Depth): number {
  return depth === "all" ? allDepth : 2 * depth;
}

/** Longer rows of jobs than `2 ** maxRounds` for each hop are cut. */
const maxRounds = 4;

export interface SideAnswer {
  of: Side;
  /** Everything within the hops. */
  lineage: ApiLineage;
  /** Everything that the service answered, also from further away. */
  walked: ApiLineage;
  /** Entities whose neighbours on this side are not all in `lineage`. */
  cut: Set<number>;
  position: number;
  truncated: string | null;
}

/**
 * One side as it is between entities. The service counts edges: where several jobs are on a way it is queried again for
 * more of them, until everything within the hops is there.
 */
export async function side(
  id: number,
  of: Side,
  { depth, asOf }: { depth: Depth; asOf: string | null },
  signal: AbortSignal,
): Promise<SideAnswer> {
  for (let edges = edgesFor(depth), round = 1;; edges *= 2, round++) {
    const answer = await walk(id, of, { edges, asOf }, signal);
    const { walked, truncated } = answer;
    if (depth === "all") return { of, ...answer, lineage: walked, cut: new Set() };
    const { lineage, cut, isShort } = withinHops(walked, of, depth);
    if (isShort && !truncated && round < maxRounds) continue;
    return { of, ...answer, lineage, cut };
  }
}

async function walk(
  id: number,
  of: Side,
  { edges, asOf }: { edges: number; asOf: string | null },
  signal: AbortSignal,
) {
  const query = { lineage_depth: edges, expand: "all", as_of: asOf ?? undefined } as const;
  const path = `/api/dataentities/{data_entity_id}/lineage/${of}` as const;
  const { data, headers } = await ask("get", path, { path: { data_entity_id: id }, query, signal });
  const walked: ApiLineage = data as Schema<"DataEntityLineage">;
  const { position, truncated } = pieceOf(null, headers);
  return { walked, position: position ?? 0, truncated };
}

/** A page of the direct neighbours of an entity on one side. */
export async function neighboursOf(
  id: number,
  of: Side,
  query: { page: number; size: number },
  signal: AbortSignal,
) {
  const path = `/api/dataentities/{data_entity_id}/lineage/${of}/neighbours` as const;
  return (await ask("get", path, { path: { data_entity_id: id }, query, signal })).data;
}

/** What was loaded, with what its headers tell: how current it is, and what ended it. */
export function pieceOf<T>(loaded: T, headers: Headers) {
  const position = Number(headers.get("x-lineage-position") ?? NaN);
  return {
    loaded,
    position: Number.isFinite(position) ? position : null,
    truncated: headers.get("x-lineage-truncated"),
  };
}
