import { Menu as Base } from "@base-ui/react/menu";
import type { ComponentProps, ReactElement, ReactNode, RefObject } from "react";
import { classes } from "#web/kit/classes.ts";
import styles from "#web/kit/overlay.module.css";

/** A menu behind `trigger` (a button); the focus goes back there when it closes, or to `focusAfter`. */
export function Menu(
  { trigger, focusAfter, children }: {
    trigger: ReactElement;
    focusAfter?: RefObject<HTMLElement | null>;
    children: ReactNode;
  },
) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Items focusAfter={focusAfter}>{children}</Items>
    </Base.Root>
  );
}

export interface MenuOfProps {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What it is, for assistive technology. */
  label: string;
}

/** A menu below a button that is elsewhere and opens it; the focus goes back there when it closes. */
export function MenuOf(
  { anchor, open, onOpenChange, label, children }: MenuOfProps & { children: ReactNode },
) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Items label={label} anchor={anchor} focusAfter={anchor}>{children}</Items>
    </Base.Root>
  );
}

function Items({ label, anchor, focusAfter, children }: {
  label?: string;
  anchor?: RefObject<HTMLElement | null>;
  focusAfter?: RefObject<HTMLElement | null>;
  children: ReactNode;
}) {
  return (
    <Base.Portal>
      <Base.Positioner anchor={anchor} className={styles.positioner} sideOffset={4} align="end">
        <Base.Popup className={styles.popup} aria-label={label} finalFocus={focusAfter}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

export function MenuItem(
  { danger, ...rest }: Omit<ComponentProps<typeof Base.Item>, "className"> & { danger?: boolean },
) {
  return <Base.Item {...rest} className={classes(styles.item, danger && styles.danger)} />;
}

/** A menu next to the item that opens it. */
export function Submenu({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={styles.item}>{label}</Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

export function MenuRule() {
  return <Base.Separator className={styles.rule} />;
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.grouplabel}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}
