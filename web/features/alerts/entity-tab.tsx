import { useParams } from "@tanstack/react-router";
import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { read } from "#web/api/client.ts";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { Keys } from "#web/kit/keys.tsx";
import { Card, Columns } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { More } from "#web/kit/table.tsx";
import { type AlertStatus, alertStatuses, alertStatusOptions } from "#web/components/alerts.tsx";
import { useCan } from "#web/components/permissions.ts";
import { periodOf } from "#web/components/period.tsx";
import { useChangeStatus } from "#web/features/alerts/change.ts";
import { AlertDetails } from "#web/features/alerts/details.tsx";
import { EntityAlertFilters } from "#web/features/alerts/entity-filters.tsx";
import { EntityAlertTable } from "#web/features/alerts/entity-table.tsx";
import type { Alert } from "#web/features/alerts/groups.ts";
import { AlertHistory } from "#web/features/alerts/history-card.tsx";
import { Halts } from "#web/features/alerts/halts.tsx";
import { alertKeys, useAlertKeys } from "#web/features/alerts/keys.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

/** Alerts of one entity, and until when it raises none. */
export function AlertsTab() {
  const id = Number(useParams({ strict: false }).id);
  const [params, change] = useParamsOfView();
  const status = oneOf(params.status, alertStatuses);
  const counts = useStatusCounts(id);
  const filter = { status, ...periodOf(params.from, params.to) };
  const query = useInfiniteQuery(
    readPages("/api/dataentities/{data_entity_id}/alerts/list", {
      params: { path: { data_entity_id: id }, query: filter },
    }),
  );
  return (
    <>
      <Segments
        label={t("alerts.whichAlerts")}
        value={status ?? "any"}
        of={[
          { value: "any" as const, text: t("alerts.all") },
          ...alertStatusOptions().map(([value, text]) => ({ value, text, count: counts[value] })),
        ]}
        onValue={(now) =>
          change({ status: now === "any" ? undefined : now, alert: undefined }, true)}
      />
      <AlertHistory entity={id} />
      <EntityAlertFilters />
      <Columns
        main={
          <Shown of={query} what={t("alerts.alerts")} bones={6}>
            {(data) => (
              <Alerts
                entity={id}
                alerts={rowsOf<Alert>(data)}
                more={
                  <More
                    shown={rowsOf<Alert>(data).length}
                    total={undefined}
                    hasNext={query.hasNextPage}
                    busy={query.isFetchingNextPage}
                    onMore={() => void query.fetchNextPage()}
                  />
                }
              />
            )}
          </Shown>
        }
        side={<Halts entity={id} />}
      />
    </>
  );
}

/** How many alerts of each status the entity has; null while that is not known. */
function useStatusCounts(id: number): Record<AlertStatus, number | null> {
  const counts = useQueries({
    queries: alertStatuses.map((status) =>
      read("/api/dataentities/{data_entity_id}/alerts/counts", {
        params: { path: { data_entity_id: id }, query: { status } },
      })
    ),
  });
  return Object.fromEntries(
    alertStatuses.map((status, at) => [status, counts[at]!.data ?? null]),
  ) as Record<AlertStatus, number | null>;
}

function Alerts(
  { entity, alerts, more }: { entity: number; alerts: Alert[]; more: ReactNode },
) {
  const [params, setParams] = useParamsOfView();
  const { change } = useChangeStatus();
  const canChange = useCan("DATA_ENTITY", entity)("DATA_ENTITY_ALERT_RESOLVE");
  const current = alerts.find(({ id }) => String(id) === params.alert);
  const go = (id: number | undefined) =>
    setParams({ alert: id === undefined ? undefined : String(id) });
  useAlertKeys({ ordered: alerts, current, go, canChange, change });
  if (alerts.length === 0) {
    return (
      <Card>
        <Empty title={t("alerts.noAlerts")} icon={<CircleCheck aria-hidden />}>
          {params.status || params.from || params.to
            ? t("alerts.noAlertsMatchThisFilter")
            : t("alerts.noTestOrJobFailed")}
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <Card flush>
        <div className={styles.bar}>
          <span className="soft">{t("alerts.alertCount", { count: alerts.length })}</span>
          <Keys of={alertKeys()} />
        </div>
        <EntityAlertTable
          alerts={alerts}
          current={current?.id}
          onOpen={(id) => go(id === current?.id ? undefined : id)}
          onChange={canChange ? change : undefined}
        />
        {more}
      </Card>
      {current && <AlertDetails alert={current} change={change} canChange={canChange} />}
    </>
  );
}
