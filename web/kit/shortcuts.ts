import { useLayoutEffect, useRef } from "react";

/** What is pressed: `k`, `?`, `mod+k` (Ctrl, or Command on a Mac), `Escape`. */
type Keys = Record<string, (event: KeyboardEvent) => void>;

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

/** How long keys are held for a box that does not come. */
const longestMs = 5_000;

/** What is typed meanwhile, and how to get it; null while nothing is held. */
let buffered: { text: string; end: () => void } | null = null;

/**
 * Holds what is typed from the key that opens a box until the box has the focus and takes it: nothing of it is lost while the
 * box is loaded, and no letter of it is a shortcut of the screen below.
 */
export function bufferKeys(): void {
  buffered?.end();
  const pressed = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || key === "Tab") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (key === "Escape") return now.end();
    if (key === "Backspace") now.text = now.text.slice(0, -1);
    else if (key.length === 1) now.text += key;
  };
  const now = {
    text: "",
    end: () => {
      clearTimeout(timer);
      removeEventListener("keydown", pressed, true);
      if (buffered === now) buffered = null;
    },
  };
  const timer = setTimeout(now.end, longestMs);
  addEventListener("keydown", pressed, true);
  buffered = now;
}

/** What was typed meanwhile; from now on keys go where the focus is. */
export function bufferedKeys(): string {
  const text = buffered?.text ?? "";
  buffered?.end();
  return text;
}
