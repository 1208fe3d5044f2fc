import { useQueries } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { LineageState } from "#web/features/lineage/address.ts";
import { impactQuestions, impactStateOf } from "#web/features/lineage/impact-questions.ts";
import { type Impact, impactOf } from "#web/features/lineage/impact-rows.ts";
import { queryFor, type Question } from "#web/features/lineage/load.ts";
import { useSame } from "#web/features/lineage/use-same.ts";

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
