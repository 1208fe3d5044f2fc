import { useMemo } from "react";
import { jobsAsLines } from "#web/graph/jobs.ts";
import type { Model, View } from "#web/graph/model.ts";
import { viewOf } from "#web/graph/view.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { loadFraming } from "#web/features/lineage/load-framing.ts";
import { useLater } from "#web/features/lineage/hooks.ts";

const loadParts = async () => ({ framing: await loadFraming() });

/** How much of a model is drawn: its assets, a map of frames of them, or nothing before somebody wants that. */
export type Extent = "assets" | "map" | "nothing";

interface DrawnView {
  view: View;
  extent: Extent;
}

/** Nothing is drawn yet. */
const nothing: DrawnView = { view: { nodes: [], edges: [] }, extent: "assets" };

/** Up to so many entities nothing is left out, and no part that does so is waited for. */
const fewEntities = 12;

/** Of more entities than this, in a drawing that is too large for names, the impact comes first. */
const maxUnasked = 1_000;

/** What is drawn of a model: which jobs are lines, which neighbors are left out, which groups are one box, or a map of all. */
export function useView(
  model: Model,
  state: Pick<LineageState, "unfolded" | "folded" | "mode" | "steps" | "draw">,
): DrawnView {
  const { unfolded, folded, steps, draw } = state;
  const options = useStable({ unfolded, folded, draw, steps: steps.filter(isChoice) });
  const asLines = state.mode === "jobs" ? undefined : jobsAsLines;
  // Read together with the first answers, so that no drawing is laid out first without its folds and then with them.
  const parts = useLater(loadParts, true);
  return useMemo(() => {
    const isSmall = model.nodes.size <= fewEntities && options.folded.length === 0;
    if (!isSmall && !parts) return nothing;
    return drawnOf(model, options, asLines, parts?.framing ?? undefined);
  }, [model, options, asLines, parts]);
}

type Options = Pick<LineageState, "unfolded" | "folded" | "steps" | "draw">;

function drawnOf(
  model: Model,
  { unfolded, folded, draw, steps }: Options,
  asLines: typeof jobsAsLines | undefined,
  framing: Awaited<ReturnType<typeof loadFraming>> | undefined,
): DrawnView {
  const more = moreOf(steps);
  const opened = new Set(unfolded);
  const drawn: { extent: Extent } = { extent: "assets" };
  const view = viewOf(model, {
    unfolded: opened,
    folded: new Set(folded),
    foldGroups: folded.length > 0 ? framing?.foldGroups : undefined,
    limit: framing && draw !== "all"
      ? (model, draft) => framing.limitNeighbours(model, draft, more)
      : undefined,
    asMap: framing && draw !== "all"
      ? (model, draft) => {
        drawn.extent = "map";
        return framing.mapOf(model, draft, opened);
      }
      : undefined,
    // A job that came or went is to be seen.
    asLines: model.changes ? undefined : asLines,
  });
  const isMap = drawn.extent === "map";
  const isUnasked = draw === "auto" && isMap && model.nodes.size > maxUnasked;
  return isUnasked ? { ...nothing, extent: "nothing" } : { view, ...drawn };
}

const isChoice = ({ kind }: LineageState["steps"][number]) =>
  kind === "more" || kind === "pick" || kind === "paths";

/** Which neighbors somebody wants to see beyond the first ones. */
function moreOf(steps: LineageState["steps"]) {
  const counts = new Map<string, number>();
  const picked = new Set<number>();
  const paths: [number, number][] = [];
  for (const step of steps) {
    if (step.kind === "pick") picked.add(step.id);
    if (step.kind === "paths") paths.push([step.id, step.to]);
    if (step.kind === "more") {
      counts.set(`${step.id}${step.side === "upstream" ? "u" : "d"}`, step.count);
    }
  }
  return { counts, picked, paths };
}

/** The same thing as long as it says the same: what the address holds is read again at every change of it. */
export function useStable<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => value, [text]);
}
