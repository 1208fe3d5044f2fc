import { useRef } from "react";

/** The list of the last time as long as it has the same things in it. */
export function useSame<T>(list: T[]): T[] {
  const last = useRef(list);
  const same = last.current.length === list.length &&
    list.every((one, at) => one === last.current[at]);
  if (!same) last.current = list;
  return last.current;
}
