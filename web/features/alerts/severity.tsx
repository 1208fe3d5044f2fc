import { BellOff } from "lucide-react";
import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { exactTime } from "#web/kit/time.tsx";
import { affectedText, type AlertImpact, toneOfSeverity } from "#web/features/alerts/impacts.ts";
import styles from "#web/features/alerts/alerts.module.css";

/** How urgent an alert is, with the reason; nothing until it is known. */
export function SeverityBadge({ of }: { of: AlertImpact | undefined }) {
  if (!of) return null;
  return (
    <span title={affectedText(of)}>
      <Badge tone={toneOfSeverity(of.severity)}>{words(of.severity)}</Badge>
    </span>
  );
}

/** Until when nobody is notified of an alert, and who said so. */
export function Muted({ by: silence }: { by: NonNullable<AlertImpact["silence"]> }) {
  return (
    <span className={styles.muted} title={silence.comment ?? undefined}>
      <BellOff aria-hidden />
      <span className="truncate">
        Muted until {exactTime(silence.until)}
        {silence.created_by && <>{" "}by {silence.created_by}</>}
      </span>
    </span>
  );
}
