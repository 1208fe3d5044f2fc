/** A signal that aborts a while after another one does. */
export function lateSignal(
  signal: AbortSignal,
  ms: number,
): { signal: AbortSignal; clear: () => void } {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => void (timer = setTimeout(() => late.abort(), ms));
  signal.addEventListener("abort", begin, { once: true });
  if (signal.aborted) begin();
  return {
    signal: late.signal,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener("abort", begin);
    },
  };
}
