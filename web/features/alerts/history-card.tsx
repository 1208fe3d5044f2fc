import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { read } from "#web/api/client.ts";
import { Card } from "#web/kit/page.tsx";
import { Chart } from "#web/components/chart/chart.tsx";
import { createdByDay, firstDay, historyDays } from "#web/features/alerts/history.ts";
import { t } from "#web/messages/text.ts";

/** Alerts that are read at most; where there are more, what would be shown is not all of them. */
const size = 1_000;

/** New alerts of an entity by day; left out where there were none, and where there were too many to count. */
export function AlertHistory({ entity }: { entity: number }) {
  const now = useMemo(() => Date.now(), []);
  const { data } = useQuery(
    read("/api/dataentities/{data_entity_id}/alerts/list", {
      params: {
        path: { data_entity_id: entity },
        query: { page: 1, size, begin_date: new Date(firstDay(now)).toISOString() },
      },
    }),
  );
  if (!data || data.length === 0 || data.length === size) return null;
  const { times, values } = createdByDay(data, now);
  if (values.every((value) => value === 0)) return null;
  return (
    <Card title={t("alerts.newAlertsByDay")}>
      <Chart
        label={t("alerts.newAlertsOfDays", { days: historyDays })}
        kind="bars"
        times={times}
        series={[{ name: t("alerts.newAlerts"), tone: "bad", values }]}
        format={(value) => t("alerts.alertCount", { count: value })}
      />
    </Card>
  );
}
