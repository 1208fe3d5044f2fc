import { useEffect, useMemo, useRef, useState } from "react";
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

/** The same thing as long as it says the same: what the address holds is read again at every change of it. */
export function useStable<T>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => value, [text]);
}
