import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";

interface TreeRow {
  depth: number;
  open: boolean | undefined;
}

/** Where a key leads to: another row, or the fold of one. */
type Step = { to: number } | { toggle: number };

/**
 * What a key does in a tree that is shown as rows, as treegrids do: up, down, Home, End and the page keys walk the
 * rows; right opens a row, then goes into it; left closes it, then goes to the one it is under.
 */
export function stepOf(key: string, rows: TreeRow[], at: number, page: number): Step | undefined {
  const last = rows.length - 1;
  if (last < 0) return undefined;
  const to = (index: number) => ({ to: Math.max(0, Math.min(last, index)) });
  const { open, depth } = rows[at] ?? { open: undefined, depth: 0 };
  switch (key) {
    case "ArrowDown":
      return to(at + 1);
    case "ArrowUp":
      return to(at < 0 ? last : at - 1);
    case "PageDown":
      return to(at + page);
    case "PageUp":
      return to(at - page);
    case "Home":
      return to(0);
    case "End":
      return to(last);
    case "ArrowRight":
      return at < 0 || open === undefined ? undefined : open ? to(at + 1) : { toggle: at };
    case "ArrowLeft":
      if (open) return { toggle: at };
      return depth === 0
        ? undefined
        : to(rows.findLastIndex((row, i) => i < at && row.depth < depth));
    case "Enter":
    case " ":
      return open === undefined ? undefined : { toggle: at };
    default:
      return undefined;
  }
}

/**
 * Makes the buttons of a toolbar one stop of the Tab key: arrows walk among them. Its element gets what is returned, and
 * `role="toolbar"`, which tells so to assistive technology.
 */
export function useRoving() {
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const buttons = () => [...bar.current!.querySelectorAll<HTMLButtonElement>("button:enabled")];
  useLayoutEffect(() => {
    const all = buttons();
    const stop = Math.min(at, all.length - 1);
    all.forEach((button, n) => button.tabIndex = n === stop ? 0 : -1);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const now = all.indexOf(document.activeElement as HTMLButtonElement);
    const to = buttonSteps[event.key]?.(now, all.length - 1);
    if (to === undefined || now < 0) return;
    event.preventDefault();
    setAt(to);
    all[to]!.focus();
  };
  return { ref: bar, onKeyDown };
}

/** Which button of a toolbar a key leads to. */
const buttonSteps: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => at < last ? at + 1 : 0,
  ArrowLeft: (at, last) => at > 0 ? at - 1 : last,
  Home: () => 0,
  End: (_, last) => last,
};
