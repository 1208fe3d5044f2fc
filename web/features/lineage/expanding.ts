import type { LineageState, Side, Step } from "#web/features/lineage/address.ts";
import { groupOfFold } from "#web/graph/groups.ts";
import { neighbourLimit } from "#web/graph/neighbours.ts";
import type { SceneBox } from "#web/graph/scene.ts";

type Folds = Pick<LineageState, "unfolded" | "folded">;

/** Opens a fold; the parts of a group are opened together. */
export function unfolding({ unfolded, folded }: Folds, key: string): Folds {
  const group = groupOfFold(key);
  const whole = group === undefined ? key : `fg${group}`;
  return {
    unfolded: [...new Set([...unfolded, whole])],
    folded: folded.filter((one) => one !== whole),
  };
}

/** Draws a group as one box. */
export function folding({ unfolded, folded }: Folds, group: number): Folds {
  const key = `fg${group}`;
  return {
    folded: [...new Set([...folded, key])],
    unfolded: unfolded.filter((one) => one !== key && !one.startsWith(`fmg${group}-`)),
  };
}

export interface NeighbourSide {
  id: number;
  side: Side;
}

/** How many neighbors of a box are loaded and left out of the drawing. */
export function pagedOf({ paged }: SceneBox, side: Side): number {
  return paged?.[side === "upstream" ? "parents" : "children"] ?? 0;
}

/** How many neighbors beyond the first page are drawn after one more page. */
export function moreAfter(steps: readonly Step[], id: number, side: Side): number {
  const last = steps.findLast((step) =>
    step.kind === "more" && step.id === id && step.side === side
  );
  return (last?.kind === "more" ? last.count : 0) + neighbourLimit.page;
}

/** More than any answer has: every neighbor is drawn. */
export const everyNeighbour = 99_999;
