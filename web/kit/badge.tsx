import { X } from "lucide-react";
import type { ReactNode } from "react";
import { classes, type Tone, toneClass } from "#web/kit/classes.ts";
import styles from "#web/kit/badge.module.css";
import { t } from "#web/messages/text.ts";

export type { Tone };

export function Badge(
  { tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode },
) {
  return (
    <span className={classes(styles.badge, toneClass(tone))}>
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}

/** A small thing among others, such as a tag; `onRemove` adds a button named `Remove <name>`. */
export function Chip(
  { name, icon, onRemove }: { name: string; icon?: ReactNode; onRemove?: () => void },
) {
  return (
    <span className={styles.chip}>
      {icon}
      <span className="truncate" title={name}>{name}</span>
      {onRemove && (
        <button type="button" aria-label={t("kit.remove", { name })} onClick={onRemove}>
          <X />
        </button>
      )}
    </span>
  );
}

/** Chips and badges side by side, wrapping. */
export function ChipRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

export const chipClass: string = styles.chip!;
