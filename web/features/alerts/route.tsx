import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { read } from "#web/api/client.ts";
import { useMemo, useRef, useState } from "react";
import { Card, Page } from "#web/kit/page.tsx";
import { idsOf, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { useCan } from "#web/components/permissions.ts";
import { NoAlerts } from "#web/features/alerts/none.tsx";
import { Bar } from "#web/features/alerts/bar.tsx";
import { useUpstream } from "#web/features/alerts/causes.ts";
import { useChangeStatus } from "#web/features/alerts/change.ts";
import { AlertDetails } from "#web/features/alerts/details.tsx";
import { AlertFilters } from "#web/features/alerts/filters.tsx";
import { type Alert, groupAlerts, linesOf } from "#web/features/alerts/groups.ts";
import { useAlertImpacts } from "#web/features/alerts/impacts.ts";
import { type AlertKeys, useAlertKeys } from "#web/features/alerts/keys.ts";
import { AlertList } from "#web/features/alerts/list.tsx";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
import {
  type AlertsQuery,
  useAlertCounts,
  useAlerts,
  useAlertsQuery,
  type View,
  viewNames,
} from "#web/features/alerts/view.ts";
import styles from "#web/features/alerts/alerts.module.css";
import { type PlainKey, t } from "#web/messages/text.ts";

const viewTexts: Record<View, PlainKey> = {
  all: "alerts.all",
  mine: "alerts.myAssets",
  upstream: "alerts.upstreamOfMine",
  downstream: "alerts.downstreamOfMine",
};

/** What is wrong in the catalogue, by what it is wrong with. */
export function AlertsScreen() {
  const [params, change] = useParamsOfView();
  const alertsQuery = useAlertsQuery(params);
  const counts = useAlertCounts(alertsQuery);
  const search = useRef<HTMLInputElement>(null);
  return (
    <Page title={t("alerts.alerts2")} full>
      <AlertTabs />
      <Segments
        label={t("alerts.whoseAlerts")}
        value={alertsQuery.view}
        of={viewNames.map((value) => ({ value, text: t(viewTexts[value]), count: counts[value] }))}
        onValue={(view) => change({ view: view === "all" ? undefined : view }, true)}
      />
      <AlertFilters params={params} change={change} search={search} />
      <Alerts alertsQuery={alertsQuery} onSearch={() => search.current?.focus()} />
    </Page>
  );
}

/** List and details, and the keys that work there. */
function Alerts({ alertsQuery, onSearch }: { alertsQuery: AlertsQuery; onSearch: () => void }) {
  const [params, setParams] = useParamsOfView();
  const { query, alerts } = useAlerts(alertsQuery);
  const upstream = useUpstream(alerts);
  const lines = useMemo(() => linesOf(groupAlerts(alerts, upstream)), [alerts, upstream]);
  const ordered = useMemo(() => lines.flatMap(({ alert }) => alert ?? []), [lines]);
  const { current, missing } = useCurrent(ordered, params.alert, query.isSuccess);
  const impacts = useAlertImpacts(useMemo(() => alerts.map(({ id }) => id), [alerts]));
  const { ticked, tick, clear } = useTicked(alerts);
  const { change, left } = useChangeStatus();
  const can = useCan("DATA_ENTITY", current?.data_entity?.id);
  const canChange = can("DATA_ENTITY_ALERT_RESOLVE");
  const go = (id: number | undefined) => setParams({ alert: id === undefined ? "" : String(id) });
  const tickCurrent = () => current && tick([current], !ticked.has(current.id));
  useListKeys({ ordered, current, go, canChange, change }, { x: tickCurrent, "/": onSearch });
  return (
    <div className={styles.split}>
      <Card flush>
        <Bar
          ticked={alerts.filter(({ id }) => ticked.has(id))}
          left={left}
          onClear={clear}
          onChange={(status) => {
            void change(alerts.filter(({ id }) => ticked.has(id)), status);
            clear();
          }}
          shown={alerts.length}
          more={query.hasNextPage}
        />
        <Shown of={query} what={t("alerts.alerts")} bones={10}>
          {() =>
            lines.length === 0 ? <NoAlerts query={alertsQuery} /> : (
              <AlertList
                lines={lines}
                current={current?.id}
                onCurrent={go}
                ticked={ticked}
                onTick={tick}
                impacts={impacts}
                onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
              />
            )}
        </Shown>
      </Card>
      {current
        ? <AlertDetails alert={current} change={change} canChange={canChange} />
        : <NoDetails missing={missing ? params.alert : undefined} />}
    </div>
  );
}

/** In place of the details: how to see some, or the number of an alert that does not exist. */
function NoDetails({ missing }: { missing: string | undefined }) {
  return (
    <Card>
      {missing
        ? (
          <Empty title={t("alerts.noAlertNumber", { id: missing.slice(0, 20) })}>
            {t("alerts.itDoesNotExistOr")}
          </Empty>
        )
        : <Empty title={t("alerts.selectAnAlert")}>{t("alerts.itsMessagesAndWhatIt")}</Empty>}
    </Card>
  );
}

/**
 * The alert that the address names: as the list has it, else as the service has it, since a link may lead to one that is
 * resolved or belongs to another view. `missing`: there is none.
 */
function useCurrent(alerts: Alert[], id: string | undefined, isListRead: boolean) {
  const listed = alerts.find((alert) => String(alert.id) === id);
  const alert_id = idsOf(id)[0];
  const one = useQuery({
    ...read("/api/alerts/list", { params: { query: { page: 1, size: 1, alert_id } } }),
    placeholderData: undefined,
    enabled: isListRead && !listed && alert_id !== undefined,
  });
  const last = useRef<Alert>(undefined);
  const known = listed ??
    (alert_id === undefined ? undefined : one.data?.find(({ id }) => id === alert_id));
  if (known) last.current = known;
  // What has just been resolved stays while it is read again.
  const current = known ??
    (one.isPending && last.current?.id === alert_id ? last.current : undefined);
  const missing = id !== undefined && !current && (alert_id === undefined || one.isSuccess);
  return { current, missing };
}

/** Which alerts are ticked, as far as they are listed. */
function useTicked(alerts: Alert[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const ticked = useMemo(
    () => new Set(alerts.map(({ id }) => id).filter((id) => ids.has(id))),
    [alerts, ids],
  );
  const tick = (some: Alert[], on: boolean) => {
    const now = new Set(ids);
    for (const { id } of some) on ? now.add(id) : now.delete(id);
    setIds(now);
  };
  return { ticked, tick, clear: () => setIds(new Set()) };
}

/** The keys of every list of alerts, those of this one, and o for the entity of the alert. */
function useListKeys(list: AlertKeys, more: AlertKeys["more"]): void {
  const navigate = useNavigate();
  const o = () => {
    const id = list.current?.data_entity?.id;
    if (id) void navigate({ to: "/dataentities/$id/alerts", params: { id: String(id) } });
  };
  useAlertKeys({ ...list, more: { ...more, o } });
}
