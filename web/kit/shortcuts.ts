import { useLayoutEffect, useRef } from "react";

/** What is pressed: `k`, `?`, `mod+k` (Ctrl, or Command on a Mac), `Escape`. */
export type Keys = Record<string, (event: KeyboardEvent) => void>;

/**
 * Keys that work while the component is shown; single letters not while somebody types. They hold for what is shown from
 * the moment that it is: who is quick finds them.
 */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const mod = event.ctrlKey || event.metaKey;
      if (event.defaultPrevented || event.altKey || (!mod && isTyping(event.target))) return;
      const name = `${mod ? "mod+" : ""}${
        event.key.length === 1 ? event.key.toLowerCase() : event.key
      }`;
      const now = latest.current;
      const run = Object.hasOwn(now, name) ? now[name] : undefined;
      if (!run) return;
      event.preventDefault();
      run(event);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Letters mean nothing to a box to tick: keys go on working after one was clicked.
  const box = target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type);
  return target.isContentEditable || (!box && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) ||
    target.closest("[role=dialog],[role=menu],[role=listbox]") !== null;
}
