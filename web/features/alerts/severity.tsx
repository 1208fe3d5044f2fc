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

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** Until when nobody is notified of an alert, and who said so; `short`: by the day alone. */
export function Muted(
  { by: silence, short }: { by: NonNullable<AlertImpact["silence"]>; short?: boolean },
) {
  const until = exactTime(silence.until);
  const by = silence.created_by ? ` by ${silence.created_by}` : "";
  const whole = [`Muted until ${until}${by}`, silence.comment].filter(Boolean).join(": ");
  if (short) {
    return (
      <span className={styles.muted} title={whole}>
        <BellOff aria-hidden />
        <span className="truncate">Muted until {day.format(Date.parse(silence.until))}{by}</span>
      </span>
    );
  }
  return (
    <span className={styles.muted}>
      <BellOff aria-hidden />
      <span className="truncate">
        Muted until {until}
        {by}
      </span>
    </span>
  );
}
