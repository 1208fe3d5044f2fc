import type { Context } from "#platform/context.ts";
import { Nodes } from "#services/api/features/lineage/answer.ts";
import { nodesOf } from "#services/api/features/lineage/queries.ts";
import { staleDays } from "#services/api/stale.ts";

/** A finished answer: JSON text, and headers that state how current and how complete it is. */
export interface LineageAnswer {
  json: string;
  headers: Record<string, string>;
}

/** The visible ones of these entities, with the live groups above them. */
export async function readNodes(context: Context, ids: Set<number>): Promise<Nodes> {
  return new Nodes(await context.db.query(nodesOf, [[...ids], staleDays(context)]));
}

/** Headers of a lineage answer; see `lineageHeaders`. */
export function headersOf(position: number, truncated?: "nodes" | "time"): Record<string, string> {
  return {
    "X-Lineage-Position": String(position),
    ...(truncated ? { "X-Lineage-Truncated": truncated } : {}),
  };
}
