import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";

/** Which of some controls is reached from one by a key. */
const steps: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => at < last ? at + 1 : 0,
  ArrowLeft: (at, last) => at > 0 ? at - 1 : last,
  Home: () => 0,
  End: (_, last) => last,
};

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
    const to = steps[event.key]?.(now, all.length - 1);
    if (to === undefined || now < 0) return;
    event.preventDefault();
    setAt(to);
    all[to]!.focus();
  };
  return { ref: bar, onKeyDown };
}
