import { useQueries } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { LineageState } from "#web/features/lineage/address.ts";
import { type Impact, impactOf } from "#web/features/lineage/impact-rows.ts";
import { queryFor, type Question, rootQuestion, stepQuestion } from "#web/features/lineage/load.ts";
import { useSame } from "#web/features/lineage/hooks.ts";

const nothingYet: Impact = { rows: [], complete: true };

/** The impact of some roots; while something of it is read, the last one that was whole. */
export function useImpact(
  roots: readonly number[],
  state: LineageState,
): { impact: Impact; pending: boolean } {
  const stateKey = JSON.stringify(impactStateOf(state));
  const { listed, beyond } = useMemo(
    () => impactQuestions(roots, JSON.parse(stateKey)),
    [roots, stateKey],
  );
  const questions = useMemo(
    () => [...new Map([...listed, ...beyond].map((one) => [nameOf(one), one])).values()],
    [listed, beyond],
  );
  const answers = useQueries({ queries: questions.map(queryFor) });
  const pieces = useSame(answers.map(({ data }) => data));
  const pending = answers.some(({ isPending }) => isPending);
  const last = useRef(nothingYet);
  const impact = useMemo(() => {
    if (pending) return last.current;
    const byName = new Map(questions.map((one, at) => [nameOf(one), pieces[at]]));
    const piecesOf = (of: Question[]) => of.map((one) => byName.get(nameOf(one)));
    return impactOf(piecesOf(listed), piecesOf(beyond));
  }, [pending, pieces, questions, listed, beyond]);
  last.current = impact;
  return { impact, pending };
}

const nameOf = ({ key }: Question) => JSON.stringify(key);

type ImpactState = Pick<
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
