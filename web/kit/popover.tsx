import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/overlay.module.css";

/** Something small next to its trigger (a button), such as a filter or a form of one field. */
export function Popover(
  { trigger, label, children, open, onOpenChange }: {
    trigger: ReactElement;
    /** What it is, for assistive technology. */
    label?: string;
    children: ReactNode;
    open?: boolean;
    onOpenChange?: (open: boolean) => void;
  },
) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="start">
          <Base.Popup aria-label={label} className={classes(styles.popup, styles.panel)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
