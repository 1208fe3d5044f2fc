import { useParams } from "@tanstack/react-router";
import { useQueries, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { read } from "#web/api/client.ts";
import { rowsOf, usePages } from "#web/api/pages.ts";
import { Keys } from "#web/kit/keys.tsx";
import { Card, Columns, Toolbar } from "#web/kit/page.tsx";
import { oneOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { actionsColumn, type Column, Table, timeColumn } from "#web/kit/table.tsx";
import { Button } from "#web/kit/button.tsx";
import {
  type AlertStatus,
  AlertStatusBadge,
  alertStatuses,
  alertStatusOptions,
  AlertTypeBadge,
} from "#web/components/alerts.tsx";
import { useCan } from "#web/components/permissions.ts";
import { PeriodFields, periodOf } from "#web/components/time-fields.tsx";
import { MorePages } from "#web/components/paged-table.tsx";
import { Chart } from "#web/components/chart/chart.tsx";
import { alertKeyHints, useAlertKeys, useChangeStatus } from "#web/features/alerts/actions.tsx";
import { AlertDetails } from "#web/features/alerts/details.tsx";
import { type Alert, createdByDay, firstDay, historyDays } from "#web/features/alerts/groups.ts";
import { Halts } from "#web/features/alerts/halts.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

/** Alerts of one entity, and until when it raises none. */
export function AlertsTab() {
  const id = Number(useParams({ strict: false }).id);
  const [params, change] = useParamsOfView();
  const status = oneOf(params.status, alertStatuses);
  const counts = useStatusCounts(id);
  const filter = { status, ...periodOf(params.from, params.to) };
  const query = usePages("/api/dataentities/{data_entity_id}/alerts/list", {
    path: { data_entity_id: id },
    query: filter,
  });
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
      <Toolbar>
        <span className="soft">{t("alerts.lastRaisedFrom")}</span>
        <PeriodFields from={params.from} to={params.to} onChange={change} />
      </Toolbar>
      <Columns
        main={
          <Shown of={query} what={t("alerts.alerts")} bones={6}>
            {(data) => (
              <Alerts
                entity={id}
                alerts={rowsOf<Alert>(data)}
                more={<MorePages of={query} shown={rowsOf<Alert>(data).length} />}
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
        path: { data_entity_id: id },
        query: { status },
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
  const open = (id: number) => go(id === current?.id ? undefined : id);
  const columns = columnsOf(current?.id, open);
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
          <Keys of={alertKeyHints()} />
        </div>
        <Table
          label={t("alerts.alerts2")}
          columns={canChange ? [...columns, actionsOf(change)] : columns}
          rows={alerts}
          keyOf={({ id }) => id}
          selected={({ id }) => id === current?.id}
          onRow={({ id }) => open(id)}
        />
        {more}
      </Card>
      {current && <AlertDetails alert={current} change={change} canChange={canChange} />}
    </>
  );
}

/** Alerts that are read at most; where there are more, what would be shown is not all of them. */
const size = 1_000;

/** New alerts of an entity by day; left out where there were none, and where there were too many to count. */
function AlertHistory({ entity }: { entity: number }) {
  const now = useMemo(() => Date.now(), []);
  const { data } = useQuery(
    read("/api/dataentities/{data_entity_id}/alerts/list", {
      path: { data_entity_id: entity },
      query: { page: 1, size, begin_date: new Date(firstDay(now)).toISOString() },
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

function columnsOf(current: number | undefined, onOpen: (id: number) => void): Column<Alert>[] {
  return [
    { name: t("kit.type"), tight: true, cell: ({ type }) => <AlertTypeBadge type={type} /> },
    {
      name: t("alerts.message"),
      cell: ({ id, description }) => (
        <button
          type="button"
          className={styles.message}
          aria-expanded={id === current}
          title={description}
          onClick={() => onOpen(id)}
        >
          <span className="truncate">{description || t("alerts.noMessage")}</span>
        </button>
      ),
    },
    {
      name: t("kit.status"),
      tight: true,
      cell: ({ status }) => <AlertStatusBadge status={status} />,
    },
    timeColumn(
      t("alerts.lastRaised"),
      ({ last_created_at, created_at }) => last_created_at ?? created_at,
    ),
  ];
}

function actionsOf(onChange: ReturnType<typeof useChangeStatus>["change"]): Column<Alert> {
  return actionsColumn((alert) => {
    const open = alert.status === "OPEN";
    return (
      <Button
        small
        aria-label={open
          ? t("alerts.resolveAlert", { id: alert.id })
          : t("alerts.reopenAlert", { id: alert.id })}
        onClick={() => void onChange([alert], open ? "RESOLVED" : "OPEN")}
      >
        {open ? t("alerts.resolve") : t("alerts.reopen")}
      </Button>
    );
  });
}
