import { groupOfFold } from "#web/graph/groups.ts";
import type { LineageState } from "#web/features/lineage/address.ts";

/** Opens a fold; the parts of a group are opened together. */
export function unfolding(
  { unfolded, folded }: Pick<LineageState, "unfolded" | "folded">,
  key: string,
): Partial<LineageState> {
  const group = groupOfFold(key);
  const whole = group === undefined ? key : `fg${group}`;
  return {
    unfolded: [...new Set([...unfolded, whole])],
    folded: folded.filter((one) => one !== whole),
  };
}

/** Draws a group as one box. */
export function folding(
  { unfolded, folded }: Pick<LineageState, "unfolded" | "folded">,
  group: number,
): Partial<LineageState> {
  const key = `fg${group}`;
  return {
    folded: [...new Set([...folded, key])],
    unfolded: unfolded.filter((one) => one !== key && !one.startsWith(`fmg${group}-`)),
  };
}
