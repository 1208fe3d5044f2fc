import type { Context } from "#platform/context.ts";
import type { Actor } from "#contract/actor.ts";
import {
  ownedEntities,
  ownedNeighbours,
  ownedSurroundings,
} from "#services/api/features/owned/entities.ts";

/** Whose alerts or activity is shown, seen from what the caller owns. */
export const ownerViews = ["ALL", "MY_OBJECTS", "DOWNSTREAM", "UPSTREAM"] as const;
export type OwnerView = (typeof ownerViews)[number];

/** Entities that the caller owns, one hop downstream of those, and one hop upstream. */
export type Sides = [own: number[], downstream: number[], upstream: number[]];

/** Ids of the entities that a view stands for; null for all. */
export function entitiesOfView(
  context: Context,
  actor: Actor,
  view: OwnerView,
): Promise<number[] | null> {
  if (view === "ALL") return Promise.resolve(null);
  if (view === "MY_OBJECTS") return ownedEntities(context, actor);
  return ownedNeighbours(context, actor, view === "UPSTREAM" ? "upstream" : "downstream");
}

/**
 * How much each view shows (AlertCountInfo, ActivityCountInfo). `count` counts in all, and
 * within each of the sides in their order.
 */
export async function countOfViews(
  context: Context,
  actor: Actor,
  count: (within: Sides) => Promise<{ total: number; within: number[] }>,
) {
  const { own, downstream, upstream } = await ownedSurroundings(context, actor);
  const { total, within } = await count([own, downstream, upstream]);
  return {
    total_count: total,
    my_objects_count: within[0],
    downstream_count: within[1],
    upstream_count: within[2],
  };
}
