import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { Card, Page } from "#web/kit/page.tsx";
import { useParamsOfView } from "#web/kit/search-params.ts";
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
import { type AlertKeys, useAlertKeys } from "#web/features/alerts/keys.ts";
import { AlertList } from "#web/features/alerts/list.tsx";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
import {
  type AlertsQuery,
  useAlertCounts,
  useAlerts,
  useAlertsQuery,
  viewNames,
} from "#web/features/alerts/view.ts";
import styles from "#web/features/alerts/alerts.module.css";

const viewTexts = {
  all: "All",
  mine: "On what I own",
  upstream: "Upstream of mine",
  downstream: "Downstream of mine",
};

/** What is wrong in the catalogue, by what it is wrong with. */
export function AlertsScreen() {
  const [params, change] = useParamsOfView();
  const alertsQuery = useAlertsQuery(params);
  const counts = useAlertCounts(alertsQuery);
  const search = useRef<HTMLInputElement>(null);
  return (
    <Page title="Alerts" full>
      <AlertTabs />
      <Segments
        label="Whose alerts"
        value={alertsQuery.view}
        of={viewNames.map((value) => ({ value, text: viewTexts[value], count: counts[value] }))}
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
  const current = useCurrent(ordered, params.alert);
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
        <Shown of={query} what="alerts" bones={10}>
          {() =>
            lines.length === 0 ? <NoAlerts query={alertsQuery} /> : (
              <AlertList
                lines={lines}
                current={current?.id}
                onCurrent={go}
                ticked={ticked}
                onTick={tick}
                onEnd={() => query.hasNextPage && !query.isFetching && void query.fetchNextPage()}
              />
            )}
        </Shown>
      </Card>
      {current ? <AlertDetails alert={current} change={change} canChange={canChange} /> : (
        <Card>
          <Empty
            title={params.alert
              ? `Alert ${params.alert} is not in this list`
              : "No alert is chosen"}
          >
            {params.alert
              ? "Another status or view may have it, or more of the list has to be read."
              : "Choose one to see what was said of it, and what it reaches."}
          </Empty>
        </Card>
      )}
    </div>
  );
}

/** The alert that the address names: as the list has it, or as it had it last, so that it stays when it is resolved. */
function useCurrent(alerts: Alert[], id: string | undefined): Alert | undefined {
  const last = useRef<Alert>(undefined);
  const found = alerts.find((alert) => String(alert.id) === id);
  if (found) last.current = found;
  return found ?? (id !== undefined && String(last.current?.id) === id ? last.current : undefined);
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
