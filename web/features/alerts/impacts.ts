import { useQueries } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import type { Tone } from "#web/kit/tones.ts";
import { t } from "#web/messages/text.ts";

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
      ...read("/api/alerts/impact", { params: { query: { alert_ids: [...some] } } }),
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

export const toneOfSeverity = (severity: Schema<"AlertSeverity">): Tone => tones[severity];

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
