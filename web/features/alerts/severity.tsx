import { BellOff } from "lucide-react";
import { useQueries } from "@tanstack/react-query";
import { Badge } from "#web/kit/badge.tsx";
import { words } from "#web/kit/numbers.ts";
import { exactTime } from "#web/kit/time.tsx";
import type { Tone } from "#web/kit/classes.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { language } from "#web/messages/language.ts";
import { t } from "#web/messages/text.ts";
import { read, type Schema } from "#web/api/client.ts";
import { alertTypes } from "#web/api/values.gen.ts";
import { alertTypeText } from "#web/components/alerts.tsx";

/** Values and texts for a choice of types. */
export const alertTypeOptions = () =>
  alertTypes.map((type) => [type, alertTypeText(type)] as const);

/** How urgent an alert is, with the reason; nothing until it is known. */
export function SeverityBadge({ of }: { of: AlertImpact | undefined }) {
  if (!of) return null;
  return (
    <span title={affectedText(of)}>
      <Badge tone={tones[of.severity]}>{words(of.severity)}</Badge>
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

export type AlertImpact = Schema<"AlertImpact">;

/** Alerts that the service reads the impact of at once. */
const max = 100;

/** What each alert affects, and the silence that it meets; those that are not read yet are missing. */
export function useAlertImpacts(ids: readonly number[]): ReadonlyMap<number, AlertImpact> {
  const chunks = Array.from(
    { length: Math.ceil(ids.length / max) },
    (_, at) => ids.slice(at * max, (at + 1) * max),
  );
  return useQueries({
    queries: chunks.map((some) => ({
      ...read("/api/alerts/impact", { query: { alert_ids: [...some] } }),
      retry: false,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.items ?? []).map((one) => [one.alert_id, one])),
  });
}

const tones: Record<Schema<"AlertSeverity">, Tone> = {
  CRITICAL: "bad",
  HIGH: "warn",
  MEDIUM: "info",
  LOW: "neutral",
};

/** What an alert affects: `12 assets downstream, 3 of them consumers`. */
export function affectedText(
  { affected_total: total, affected_consumers: consumers, affected_at_least: more }: AlertImpact,
): string {
  if (total === 0) return t("alerts.nothingDownstream");
  if (consumers === 0) {
    return more ? t("alerts.atLeastDownstream", { total }) : t("alerts.downstream", { total });
  }
  const values = { total, consumers };
  return more
    ? t("alerts.atLeastConsumersDownstream", values)
    : t("alerts.consumersDownstream", values);
}
