import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "#web/kit/classes.ts";
import { IconButton } from "#web/kit/button.tsx";
import styles from "#web/kit/overlay.module.css";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  about?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** A dialog above the page; Escape and a click beside it close it, and the focus returns where it was. */
export function Dialog({ open, onClose, title, about, actions, wide, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(now) => now || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={classes(styles.dialog, wide && styles.wide)}>
          <div className={styles.head}>
            <div>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {about && <Base.Description className={styles.about}>{about}</Base.Description>}
            </div>
            <IconButton label="Close" small onClick={onClose}>
              <X />
            </IconButton>
          </div>
          <div className={styles.body}>{children}</div>
          {actions && <div className={styles.foot}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
