/** A clock that the test advances; sleepers wake when their time has come. */
export function handClock(start = 0) {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now,
    sleep(ms: number, signal?: AbortSignal) {
      return new Promise<void>((wake) => {
        sleepers.add({ at: now + ms, wake });
        signal?.addEventListener("abort", () => wake(), { once: true });
        if (signal?.aborted) wake();
      });
    },
    move(ms: number) {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.at <= now && sleepers.delete(sleeper)) sleeper.wake();
      }
    },
    sleeping: () => sleepers.size,
  };
}
