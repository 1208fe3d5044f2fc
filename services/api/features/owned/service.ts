// What the caller owns and its direct neighbours, for the `my` operations and the views of other
// families.
import type { Actor } from "#contract/actor.ts";
import type { Context } from "#platform/context.ts";
import {
  ownedEntities,
  ownedNeighbours,
  ownedSurroundings,
} from "#services/api/features/owned/entities.ts";

export {
  type Ancestors,
  myNeighbours,
  myObjects,
  ownedAncestors,
  ownedEntities,
} from "#services/api/features/owned/entities.ts";

/** Views that select alerts or activity by the caller's ownership. */
export const ownerViews = ["ALL", "MY_OBJECTS", "DOWNSTREAM", "UPSTREAM"] as const;
export type OwnerView = (typeof ownerViews)[number];

/** Ids of the entities that the caller owns, and of those one hop downstream and one hop upstream. */
export type Sides = [own: number[], downstream: number[], upstream: number[]];

/** Ids of the entities that a view covers; null for all. */
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
 * The counts of all views (AlertCountInfo, ActivityCountInfo). `count` returns the total, and the
 * count within each of the sides in their order.
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
