import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Milliseconds after which what has come is shown without the rest. */
const longestMs = 1_000;

const unread = {
  predicate: ({ state }: { state: { status: string } }) => state.status === "pending",
};

/**
 * Whether everything below has been read, so that a screen of many parts is shown at once instead of moving with each answer.
 * Once it is true it stays so.
 */
export function useArrived(): boolean {
  const queries = useQueryClient();
  // Who comes back has read it before; who comes first has asked for it by now (`readAhead`).
  const [arrived, setArrived] = useState(() => queries.isFetching(unread) === 0);
  const reading = useIsFetching(unread);
  // What is below has begun to read by now, and `reading` may not yet tell.
  useEffect(() => {
    if (queries.isFetching(unread) === 0) setArrived(true);
  }, [queries, reading]);
  useEffect(() => {
    const timer = setTimeout(() => setArrived(true), longestMs);
    return () => clearTimeout(timer);
  }, []);
  return arrived;
}
