import { X } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { Button, IconButton } from "#web/kit/button.tsx";
import {
  isChunkMissing,
  notePartMissing,
  reloadIfThere,
  subscribeToMissing,
} from "#web/kit/chunk-load-error.ts";
import styles from "#web/kit/toast.module.css";
import { t } from "#web/messages/text.ts";

/** Says that a part of what is shown is missing; the page stays, so that nothing that was typed is lost unasked. */
export function MissingNotice() {
  const missed = useSyncExternalStore(subscribeToMissing, isChunkMissing);
  const [away, setAway] = useState(false);
  if (!missed) return null;
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.text}>
        <strong>{t("kit.aPartOfTheInterface")}</strong>
        <div className={styles.about}>
          {away ? t("kit.theServerDoesNotRespond") : t("kit.theServerIsUnreachableOr")}
        </div>
      </div>
      <Button small onClick={async () => setAway(!await reloadIfThere())}>
        {t("kit.reload")}
      </Button>
      <IconButton label={t("kit.dismiss")} small onClick={() => notePartMissing(false)}>
        <X />
      </IconButton>
    </div>
  );
}
