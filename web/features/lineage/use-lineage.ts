import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Model } from "#web/graph/model.ts";
import type { LineageState } from "#web/features/lineage/address.ts";
import { queryFor, type Question, rootQuestion, stepQuestion } from "#web/features/lineage/load.ts";
import { modelOf } from "#web/features/lineage/fragments.ts";
import { useLater } from "#web/features/lineage/use-later.ts";
import { useSame } from "#web/features/lineage/use-same.ts";

const loadClosing = () => import("#web/graph/forget.ts");

export interface LineageQueryState {
  model: Model;
  /** Nothing can be drawn yet. */
  pending: boolean;
  /** More is being read. */
  busy: boolean;
  error: unknown;
  retry: () => void;
  /** The oldest position among the answers; null before the first. */
  position: number | null;
  /** Whether a budget ended one of them: `nodes` or `time`. */
  truncated: string | null;
}

/** Reads what a drawing is made of; answers are remembered by their questions, so that going back reads nothing. */
export function useLineage(roots: readonly number[], state: LineageState): LineageQueryState {
  const { up, down, members, steps, asOf, compare } = state;
  const questions = useMemo(() => [
    ...roots.map((id) => ({
      step: null,
      question: rootQuestion(id, { up, down, members, asOf, compare }),
    })),
    ...steps.map((step) => ({ step, question: stepQuestion(step, { asOf, compare }) })),
  ], [roots, up, down, members, steps, asOf, compare]);
  const requests = useMemo(() => {
    const found = questions.flatMap((
      { question },
    ) => (question ? [[nameOf(question), question] as const] : []));
    return [...new Map(found)];
  }, [questions]);
  const answers = useQueries({
    queries: requests.map(([, question]) => queryFor(question)),
  });
  const pieces = useSame(answers.map(({ data }) => data));
  const close = useLater(loadClosing, steps.some(({ kind }) => kind === "close"))?.closed;
  const model = useMemo(() => {
    const byName = new Map(requests.map(([name], at) => [name, pieces[at]]));
    const pieceOf = (question: Question | null) =>
      question ? byName.get(nameOf(question)) : undefined;
    const first = questions.filter(({ step }) => step === null);
    const later = questions.flatMap(({ step, question }) =>
      step ? [{ step, piece: pieceOf(question) }] : []
    );
    return modelOf(first.map(({ question }) => pieceOf(question)), later, close);
  }, [questions, requests, pieces, close]);
  const failed = answers.find(({ error }) => error !== null);
  const positions = pieces.flatMap((piece) => piece?.position ?? []);
  return {
    model,
    pending: answers.slice(0, roots.length).some(({ isPending }) => isPending),
    busy: answers.some(({ isFetching }) => isFetching),
    error: failed?.error ?? null,
    retry: () => answers.forEach(({ error, refetch }) => error && void refetch()),
    position: positions.length > 0 ? positions.reduce((a, b) => Math.min(a, b)) : null,
    truncated: pieces.find((piece) => piece?.truncated)?.truncated ?? null,
  };
}

const nameOf = ({ key }: Question) => JSON.stringify(key);
