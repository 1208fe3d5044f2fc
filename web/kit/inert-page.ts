import { useLayoutEffect } from "react";

let dialogs = 0;

/**
 * Takes the page out of reach while a dialog lies above it: neither the keyboard nor a search in the page gets behind it. In reach
 * again before the library returns the focus, which a layout effect is.
 */
export function useInertPage(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    const page = document.getElementById("root")!;
    page.inert = ++dialogs > 0;
    return () => void (page.inert = --dialogs > 0);
  }, [open]);
}
