import { neighbourLimit } from "#web/graph/neighbours.ts";
import type { Side, Step } from "#web/features/lineage/address.ts";

/** How many neighbors beyond the first page are drawn after one more page. */
export function moreAfter(steps: readonly Step[], id: number, side: Side): number {
  const last = steps.findLast((step) =>
    step.kind === "more" && step.id === id && step.side === side
  );
  return (last?.kind === "more" ? last.count : 0) + neighbourLimit.page;
}

/** More than any answer has: every neighbor is drawn. */
export const everyNeighbour = 99_999;
