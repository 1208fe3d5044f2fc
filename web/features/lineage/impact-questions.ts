import { type Question, rootQuestion, stepQuestion } from "#web/features/lineage/load.ts";
import type { LineageState } from "#web/features/lineage/address.ts";

export type ImpactState = Pick<
  LineageState,
  "up" | "down" | "members" | "steps" | "asOf" | "compare"
>;

/** The part of the state that the impact depends on: not what the drawing folds, marks or shows. */
export function impactStateOf(state: LineageState): ImpactState {
  const { up, down, members, steps, asOf, compare } = state;
  return { up, down, members, steps, asOf, compare };
}

/**
 * What is asked to list the impact of some roots: `listed` tells the entities, `beyond` all the ways to them. Only what
 * was opened on from another entity may have a way that no answer brought.
 */
export function impactQuestions(
  roots: readonly number[],
  state: ImpactState,
): { listed: Question[]; beyond: Question[] } {
  const further = state.steps.flatMap((step) => stepQuestion(step, state) ?? []);
  const listed = [...roots.map((id) => rootQuestion(id, state)), ...further];
  const everything = { ...state, up: "all", down: "all" } as const;
  const isWhole = further.length === 0 || state.members;
  return { listed, beyond: isWhole ? [] : roots.map((id) => rootQuestion(id, everything)) };
}
