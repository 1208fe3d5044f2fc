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

/** Says that a part of what is shown is missing; the page stays, so that nothing that was typed is lost unasked. */
export function MissingNotice() {
  const missed = useSyncExternalStore(subscribeToMissing, isChunkMissing);
  const [away, setAway] = useState(false);
  if (!missed) return null;
  return (
    <div className={styles.notice} role="alert">
      <div className={styles.text}>
        <strong>A part of the interface could not be loaded</strong>
        <div className={styles.about}>
          {away
            ? "The server does not respond. Try again in a moment."
            : "The server is unreachable, or a new release is being installed."}
        </div>
      </div>
      <Button small onClick={async () => setAway(!await reloadIfThere())}>
        Reload
      </Button>
      <IconButton label="Dismiss" small onClick={() => notePartMissing(false)}>
        <X />
      </IconButton>
    </div>
  );
}
