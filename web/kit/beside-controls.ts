import type { MouseEvent } from "react";

/** Handles clicks on a row, but for those on a control in it, which are the control's own. */
export function besideControls(handle: () => void): (event: MouseEvent) => void {
  return ({ target }) => {
    if (!(target as Element).closest("a,button,input,label,select,textarea")) handle();
  };
}
