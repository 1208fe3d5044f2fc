import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { queryFor, type Question } from "#web/features/lineage/load.ts";
import { notePartMissing } from "#web/kit/lazy-component.tsx";

/** What `load` brings, once it is wanted and there: what a drawing does without at first. */
export function useLater<Part extends object>(
  load: () => Promise<Part>,
  wanted: boolean,
): Part | undefined {
  const [part, setPart] = useState<Part>();
  useEffect(() => {
    if (wanted && !part) load().then(setPart, () => notePartMissing(true));
  }, [wanted]);
  return wanted ? part : undefined;
}

/** The list of the last time as long as it has the same things in it. */
export function useSame<T>(list: T[]): T[] {
  const last = useRef(list);
  const same = last.current.length === list.length &&
    list.every((one, at) => one === last.current[at]);
  if (!same) last.current = list;
  return last.current;
}

/** The answers to questions, each requested once; `pieceOf` returns the answer to one of them when it has come. */
export function useAnswers(questions: readonly Question[]) {
  const byName = useMemo(() => new Map(questions.map((one) => [nameOf(one), one])), [questions]);
  const answers = useQueries({ queries: Array.from(byName.values(), queryFor) });
  const pieces = useSame(answers.map(({ data }) => data));
  const pieceOf = useMemo(() => {
    const found = new Map(Array.from(byName.keys(), (name, at) => [name, pieces[at]]));
    return (question: Question) => found.get(nameOf(question));
  }, [byName, pieces]);
  return { answers, pieces, pieceOf };
}

const nameOf = ({ key }: Question) => JSON.stringify(key);

/** The same thing as long as it says the same: what the address holds is read again at every change of it. */
export function useStable<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => value, [text]);
}
