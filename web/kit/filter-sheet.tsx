import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "#web/kit/button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { useNarrow } from "#web/kit/use-narrow.ts";
import styles from "#web/kit/overlay.module.css";
import { t } from "#web/messages/text.ts";

/** Filters of a list: next to it, or on a phone behind a button, which says how many are set. */
export function FilterSheet({ set, children }: { set: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (!useNarrow()) return children;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden /> {t("kit.filters")}
        {set > 0 && ` (${set})`}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t("kit.filters")}
        sheet
        actions={
          <Button variant="primary" onClick={() => setOpen(false)}>{t("kit.showResults")}</Button>
        }
      >
        <div className={styles.filters}>{children}</div>
      </Dialog>
    </>
  );
}
