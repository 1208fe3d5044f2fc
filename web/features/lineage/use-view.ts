import { useMemo } from "react";
import { maxSiblings } from "#web/graph/draft.ts";
import { jobsAsLines } from "#web/graph/jobs.ts";
import type { Model, View } from "#web/graph/model.ts";
import { viewOf } from "#web/graph/view.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { loadFraming } from "#web/features/lineage/load-framing.ts";
import { useLater } from "#web/features/lineage/use-later.ts";

const loadParts = async () => ({ framing: await loadFraming() });

/** Nothing is drawn yet. */
const nothing: View = { nodes: [], edges: [] };

/** In a drawing of more entities a group is one box until somebody opens it. */
const maxOpenGroups = 400;

/** What is drawn of a model: which jobs are lines, and which groups and siblings are one box. */
export function useView(
  model: Model,
  state: Pick<LineageState, "unfolded" | "folded" | "mode">,
): View {
  const folds = useStable({ unfolded: state.unfolded, folded: state.folded });
  const asLines = state.mode === "jobs" ? undefined : jobsAsLines;
  const isLarge = model.nodes.size > maxOpenGroups;
  const hasBoxes = model.groups.size > 0 && (isLarge || folds.folded.length > 0);
  // Read beside the first answers, so that no drawing is laid out first without its folds and then with them.
  const parts = useLater(loadParts, true);
  return useMemo(() => {
    const mayFold = hasBoxes || model.nodes.size > maxSiblings;
    if (mayFold && !parts) return nothing;
    const { foldGroups, foldSiblings } = parts?.framing ?? {};
    return viewOf(model, {
      unfolded: new Set(folds.unfolded),
      folded: isLarge ? undefined : new Set(folds.folded),
      foldGroups: hasBoxes ? foldGroups : undefined,
      foldSiblings,
      // A job that came or went is to be seen.
      asLines: model.changes ? undefined : asLines,
    });
  }, [model, folds, asLines, isLarge, hasBoxes, parts]);
}

/** The same thing as long as it says the same: what the address holds is read again at every change of it. */
export function useStable<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => value, [text]);
}
