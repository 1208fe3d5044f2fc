import { useMemo } from "react";
import { jobsAsLines } from "#web/graph/jobs.ts";
import type { Model, View } from "#web/graph/model.ts";
import { viewOf } from "#web/graph/view.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { useLater } from "#web/features/lineage/use-later.ts";

const loadFolds = () => import("#web/graph/framing.ts");

/** Fewer entities are never so many siblings that they are one box. */
const maxSiblings = 12;

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
  const folding = useLater(loadFolds, hasBoxes || model.nodes.size > maxSiblings);
  return useMemo(
    () =>
      viewOf(model, {
        unfolded: new Set(folds.unfolded),
        folded: isLarge ? undefined : new Set(folds.folded),
        foldGroups: hasBoxes ? folding?.foldGroups : undefined,
        foldSiblings: folding?.foldSiblings,
        // A job that came or went is to be seen.
        asLines: model.changes ? undefined : asLines,
      }),
    [model, folds, asLines, isLarge, hasBoxes, folding],
  );
}

/** The same thing as long as it says the same: what the address holds is read again at every change of it. */
export function useStable<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => value, [text]);
}
