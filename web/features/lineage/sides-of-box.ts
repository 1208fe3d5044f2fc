import type { SceneBox } from "#web/graph/scene.ts";
import type { Side } from "#web/features/lineage/address.ts";

/** Neighbors of an entity on one side. */
export interface NeighbourSide {
  id: number;
  side: Side;
}

/** How many neighbors of a box are loaded and left out of the drawing. */
export function pagedOf({ paged }: SceneBox, side: Side): number {
  return paged?.[side === "upstream" ? "parents" : "children"] ?? 0;
}
