import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { read } from "#web/api/client.ts";
import { readPages, rowsOf } from "#web/api/pages.ts";
import { idsOf, oneOf, type Params } from "#web/kit/search-params.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { alertStatuses, alertTypes } from "#web/components/alerts.tsx";
import { periodOf } from "#web/components/period.tsx";
import type { Alert } from "#web/features/alerts/groups.ts";

/** Views of the address, with their names in the API. */
export const views = {
  all: "ALL",
  mine: "MY_OBJECTS",
  upstream: "UPSTREAM",
  downstream: "DOWNSTREAM",
} as const;
export type View = keyof typeof views;
export const viewNames = Object.keys(views) as View[];

/** Rows of a page. */
const size = 100;

/** What the address asks for, once its words have come to rest. Without a status, what is open. */
export function useAlertsQuery(params: Params) {
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
export type AlertsQuery = ReturnType<typeof useAlertsQuery>;

/** Alerts of the view. */
export function useAlerts({ view, filter }: AlertsQuery) {
  const query = useInfiniteQuery(
    readPages("/api/alerts/list", { params: { query: { ...filter, type: views[view] } } }, size),
  );
  const alerts = useMemo(() => rowsOf<Alert>(query.data), [query.data]);
  return { query, alerts };
}

/** How many alerts each view has under the same filter. */
export function useAlertCounts({ filter }: AlertsQuery) {
  const { data } = useQuery(read("/api/alerts/counts", { params: { query: filter } }));
  return {
    all: data?.total_count ?? null,
    mine: data?.my_objects_count ?? null,
    upstream: data?.upstream_count ?? null,
    downstream: data?.downstream_count ?? null,
  };
}
