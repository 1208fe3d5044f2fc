/** A file of the interface that did not arrive: the service is away, or an upgrade has taken it away. */
export class ChunkLoadError extends Error {
  constructor(cause: unknown) {
    // deno-lint-ignore house/interface-text -- an error for developers
    super("A part of the interface could not be loaded", { cause });
  }
}

const mark = "tributary.reloaded";
const listeners = new Set<() => void>();
let missed = false;

/** Whether a part of what is shown did not arrive, and nobody has put the notice away since. */
export const isChunkMissing = (): boolean => missed;

/** Shows or puts away the notice that a part of what is shown is missing. */
export function notePartMissing(now: boolean): void {
  missed = now;
  listeners.forEach((listener) => listener());
}

export function subscribeToMissing(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Loads a tab again that was open during an upgrade and asks for files that are gone; once a minute, as a second failure
 * has another cause. Not while the service is away: the browser would show its own error in place of everything.
 */
export async function reloadAfterUpgrade(): Promise<void> {
  const last = Number(sessionStorage.getItem(mark) ?? 0);
  if (Date.now() - last > 60_000) await reloadIfThere();
}

/** Loads the tab again if the service answers; whether it does. */
export async function reloadIfThere(): Promise<boolean> {
  const there = await fetch("api/appInfo", { cache: "no-store" })
    .then(({ status }) => status < 500, () => false);
  if (!there) return false;
  sessionStorage.setItem(mark, String(Date.now()));
  location.reload();
  return true;
}
