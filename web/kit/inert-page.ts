import { useLayoutEffect } from "react";

let dialogs = 0;

/**
 * Makes the page inert while a dialog is open, so that neither the keyboard nor a search in the page reaches what is behind it.
 * A layout effect, because the page has to be reachable again before the library returns the focus to it.
 */
export function useInertPage(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    const page = document.getElementById("root")!;
    page.inert = ++dialogs > 0;
    return () => void (page.inert = --dialogs > 0);
  }, [open]);
}
