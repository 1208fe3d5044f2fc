import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * For a field with a list that opens: while it is open, Base UI hides all but the two from assistive technology, so that the
 * next field could not be gone to. Live regions are left alone, so what is around the field becomes one that tells nothing.
 */
export function useReachable(open: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  // Before the effect that hides.
  useLayoutEffect(() => {
    const container = open ? field.current?.closest("[role=dialog], main") : undefined;
    if (!container || container.hasAttribute("aria-live")) return;
    container.setAttribute("aria-live", "off");
    return () => container.removeAttribute("aria-live");
  }, [open]);
  return field;
}
