import type { ReactNode } from "react";
import styles from "#web/kit/skip.module.css";

/** A link that shows when it has the focus, and moves it past what stands between. `to` is an id. */
export function SkipLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      className={styles.skip}
      href={`#${to}`}
      onClick={(event) => {
        // The address belongs to the screen: by itself the link would lead to the start of the interface.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>
  );
}

/** Id of the part of a screen that its tabs change. */
export const panelId = "panel";

/** The part of a screen that its tabs, or the places at its side, change: it takes the focus when another one is chosen. */
export function Panel({ children }: { children: ReactNode }) {
  return <div id={panelId} tabIndex={-1} className={styles.panel}>{children}</div>;
}
