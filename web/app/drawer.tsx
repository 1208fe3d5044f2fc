import { Dialog as Base } from "@base-ui/react/dialog";
import { useRef } from "react";
import { useInertPage } from "#web/kit/dialog.tsx";
import { Navigation } from "#web/app/navigation.tsx";
import overlay from "#web/kit/overlay.module.css";
import styles from "#web/app/shell.module.css";
import { t } from "#web/messages/text.ts";

/** The navigation of a phone: above the screen, until somebody has chosen where to go. */
export default function Drawer({ onClose }: { onClose: () => void }) {
  // Where somebody has gone, the screen takes the focus itself.
  const gone = useRef(false);
  useInertPage(true);
  const go = () => {
    gone.current = true;
    onClose();
  };
  return (
    <Base.Root open onOpenChange={(now) => now || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={overlay.backdrop} />
        <Base.Popup
          className={styles.drawer}
          aria-label={t("app.navigation")}
          finalFocus={() => !gone.current}
        >
          <Navigation onGo={go} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
