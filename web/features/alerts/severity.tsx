import { BellOff } from "lucide-react";
import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { exactTime } from "#web/kit/time.tsx";
import { affectedText, type AlertImpact, toneOfSeverity } from "#web/features/alerts/impacts.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { language } from "#web/messages/language.ts";
import { t } from "#web/messages/text.ts";

/** How urgent an alert is, with the reason; nothing until it is known. */
export function SeverityBadge({ of }: { of: AlertImpact | undefined }) {
  if (!of) return null;
  return (
    <span title={affectedText(of)}>
      <Badge tone={toneOfSeverity(of.severity)}>{words(of.severity)}</Badge>
    </span>
  );
}

const day = new Intl.DateTimeFormat(language, { dateStyle: "medium" });

/** Until when nobody is notified of an alert, and who said so; `short`: by the day alone. */
export function Muted(
  { by: silence, short }: { by: NonNullable<AlertImpact["silence"]>; short?: boolean },
) {
  const { created_by: by, comment } = silence;
  const exactly = mutedText(exactTime(silence.until), by);
  const whole = comment ? t("alerts.mutedFor", { muted: exactly, comment }) : exactly;
  return (
    <span className={styles.muted} title={short ? whole : undefined}>
      <BellOff aria-hidden />
      <span className="truncate">
        {short ? mutedText(day.format(Date.parse(silence.until)), by) : exactly}
      </span>
    </span>
  );
}

function mutedText(time: string, name: string | null | undefined): string {
  return name ? t("alerts.mutedUntilBy", { time, name }) : t("alerts.mutedUntilTime", { time });
}
