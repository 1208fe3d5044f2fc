import { useSyncExternalStore } from "react";

/** Up to this width, that of phones and of a browser at 200 % zoom, screens have one column; also in the style sheets. */
const narrow = globalThis.matchMedia?.("(max-width: 40rem)");

/** Whether the window is as narrow as that of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow?.matches ?? false);
}

function subscribe(listener: () => void): () => void {
  narrow?.addEventListener("change", listener);
  return () => narrow?.removeEventListener("change", listener);
}
