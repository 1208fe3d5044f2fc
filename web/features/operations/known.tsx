import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "#web/kit/badge.tsx";
import { count } from "#web/kit/numbers.ts";
import styles from "#web/features/operations/operations.module.css";
import { t } from "#web/messages/text.ts";

/** Milliseconds between two looks at a part. */
export const everyMs = 10_000;

/** Shown if a value is unknown, instead of "none" or 0. */
export function Unknown({ cause }: { cause?: string | null }) {
  return (
    <span>
      <Badge tone="warn" icon={<CircleHelp aria-hidden />}>{t("operations.unknown")}</Badge>
      {cause && <span className="foreign soft">&ensp;{cause}</span>}
    </span>
  );
}

/** A number, in the text that says what it counts, or that it is unknown. */
export function Known(
  { value, text = count }: { value: number | null | undefined; text?: (value: number) => string },
) {
  if (value === null || value === undefined) return <Unknown />;
  return <>{text(value)}</>;
}

export const changesText = (count: number) => t("operations.changes", { count });

/** Says where the figures of a part come from. */
export function Source({ children }: { children: ReactNode }) {
  return <p className={styles.source}>{children}</p>;
}
