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
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="end">
          <Base.Popup className={styles.popup} finalFocus={focusAfter}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem(
  { danger, ...rest }: Omit<ComponentProps<typeof Base.Item>, "className"> & { danger?: boolean },
) {
  return <Base.Item {...rest} className={classes(styles.item, danger && styles.danger)} />;
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
