/** The end of one attempt: it timed out, or was aborted by the caller. */
export interface Deadline {
  /** Aborts at either. */
  readonly signal: AbortSignal;
  /** Why it aborted; null while it has not. */
  ended(): "time" | "stopped" | null;
  /** Forgets the timer and the listener; to be called when the attempt is over. */
  clear(): void;
}

/** A deadline `ms` milliseconds from now that also ends with `outer`. */
export function deadline(ms: number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  let why: "time" | "stopped" | null = null;
  const end = (reason: "time" | "stopped") => {
    why ??= reason;
    controller.abort();
  };
  const stopped = () => end("stopped");
  const timer = setTimeout(() => end("time"), ms);
  outer.addEventListener("abort", stopped, { once: true });
  if (outer.aborted) stopped();
  return {
    signal: controller.signal,
    ended: () => why,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener("abort", stopped);
    },
  };
}
