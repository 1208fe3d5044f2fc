import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ask, read } from "#web/api/client.ts";
import { rowsOf, usePages } from "#web/api/pages.ts";
import { useMemo, useRef, useState } from "react";
import { CircleCheck } from "lucide-react";
import { Card, Page } from "#web/kit/page.tsx";
import { idsOf, oneOf, type Params, useParamsOfView } from "#web/kit/search-params.ts";
import { Segments } from "#web/kit/segments.tsx";
import { Empty, Shown } from "#web/kit/states.tsx";
import { Button } from "#web/kit/button.tsx";
import { useDebounced } from "#web/kit/field.tsx";
import { useCan, useIdentity } from "#web/components/permissions.ts";
import { alertTypes } from "#web/api/values.gen.ts";
import { alertStatuses } from "#web/components/alerts.tsx";
import { periodOf } from "#web/components/time-fields.tsx";
import {
  AlertBar,
  type AlertKeys,
  useAlertKeys,
  useChangeStatus,
} from "#web/features/alerts/actions.tsx";
import { AlertDetails } from "#web/features/alerts/details.tsx";
import { AlertFilters, AlertList, noFilter } from "#web/features/alerts/list.tsx";
import { type Alert, groupAlerts, linesOf, type Upstream } from "#web/features/alerts/groups.ts";
import { useAlertImpacts } from "#web/features/alerts/severity.tsx";
import { AlertTabs } from "#web/features/alerts/tabs.tsx";
import styles from "#web/features/alerts/alerts.module.css";
import { t } from "#web/messages/text.ts";

/** What is wrong in the catalogue, by what it is wrong with. */
export function AlertsScreen() {
  const [params, change] = useParamsOfView();
  const alertsQuery = useAlertsQuery(params);
  const { filter } = alertsQuery;
  const counts = useQuery(read("/api/alerts/counts", { query: filter })).data;
  const search = useRef<HTMLInputElement>(null);
  return (
    <Page title={t("alerts.alerts2")} full>
      <AlertTabs />
      <Segments
        label={t("alerts.whoseAlerts")}
        value={alertsQuery.view}
        of={viewNames.map((value) => {
          const [, text, count] = views[value];
          return { value, text: t(text), count: counts?.[count] ?? null };
        })}
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
        <AlertBar
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
    ...read("/api/alerts/list", { query: { page: 1, size: 1, alert_id } }),
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

/** Entities whose lineage is read to tell causes from what follows of them, and how far up. */
const max = 12;
const depth = 8;

/** What is upstream of the first entities with open alerts; nothing is read when there is one only. */
function useUpstream(alerts: Alert[]): Upstream {
  const open = alerts.filter(({ status }) => status === "OPEN");
  const ids = [...new Set(open.map(({ data_entity }) => data_entity?.id ?? 0))].filter(Boolean);
  const checked = ids.length > 1 ? ids.slice(0, max) : [];
  return useQueries({
    queries: checked.map((id) => ({
      queryKey: ["/api/dataentities/{data_entity_id}/lineage/upstream", "causes", id] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => upstreamOf(id, signal),
      staleTime: 5 * 60_000,
      retry: false,
    })),
    combine: (results) => new Map(results.map(({ data }, at) => [checked[at]!, new Set(data)])),
  });
}

/** Ids of what is upstream, also within groups. */
async function upstreamOf(id: number, signal: AbortSignal): Promise<number[]> {
  const query = { lineage_depth: depth, expand: "all" as const };
  const path = "/api/dataentities/{data_entity_id}/lineage/upstream";
  const { data } = await ask("get", path, { path: { data_entity_id: id }, query, signal });
  return data.upstream.nodes.map((node) => node.id);
}

/** Why there is nothing in the list, and what to do about it. */
function NoAlerts({ query }: { query: AlertsQuery }) {
  const [params, change] = useParamsOfView();
  const { data: me } = useIdentity();
  const nobody = me !== undefined && !me.owner;
  const filtered = Object.keys(noFilter).some((name) => params[name]);
  if (query.view !== "all" && nobody) {
    return (
      <Empty title={t("alerts.youAreNotLinkedTo")}>{t("alerts.theseViewsShowAlertsOf")}</Empty>
    );
  }
  if (filtered) {
    return (
      <Empty
        title={t("alerts.noAlertsMatchTheseFilters")}
        action={<Button onClick={() => change(noFilter)}>{t("alerts.clearTheFilters")}</Button>}
      />
    );
  }
  return (
    <Empty title={t("alerts.noOpenAlerts")} icon={<CircleCheck aria-hidden />}>
      {t("alerts.failedTestsAndJobsBreaking")}
    </Empty>
  );
}

/** Views of the address, with their names in the API, their texts and the counts of their alerts. */
const views = {
  all: ["ALL", "alerts.all", "total_count"],
  mine: ["MY_OBJECTS", "alerts.myAssets", "my_objects_count"],
  upstream: ["UPSTREAM", "alerts.upstreamOfMine", "upstream_count"],
  downstream: ["DOWNSTREAM", "alerts.downstreamOfMine", "downstream_count"],
} as const;
const viewNames = Object.keys(views) as (keyof typeof views)[];

/** Rows of a page. */
const size = 100;

/** What the address asks for, once its words have come to rest. Without a status, what is open. */
function useAlertsQuery(params: Params) {
  const query = useDebounced((params.q ?? "").trim());
  const status = params.status === "any"
    ? undefined
    : oneOf(params.status, alertStatuses) ?? "OPEN" as const;
  return {
    view: oneOf(params.view, viewNames) ?? "all" as const,
    filter: {
      ...periodOf(params.from, params.to),
      status,
      owner_ids: idsOf(params.owner),
      tag_ids: idsOf(params.tag),
      datasource_id: idsOf(params.source)[0],
      namespace_id: idsOf(params.namespace)[0],
      alert_type: oneOf(params.type, alertTypes),
      query: query || undefined,
    },
  };
}
type AlertsQuery = ReturnType<typeof useAlertsQuery>;

/** Alerts of the view. */
function useAlerts({ view, filter }: AlertsQuery) {
  const request = { query: { ...filter, type: views[view][0] } };
  const query = usePages("/api/alerts/list", request, size);
  const alerts = useMemo(() => rowsOf<Alert>(query.data), [query.data]);
  return { query, alerts };
}
