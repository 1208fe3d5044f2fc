import { z } from "@hono/zod-openapi";
import { alertStatuses, alertTypes } from "#contract/alerts.ts";
import {
  Alert,
  AlertChunkPage,
  AlertConfigForm,
  AlertCountInfo,
  AlertImpactList,
  AlertList,
  AlertStatusForm,
  AlertTotals,
  DataEntityAlertConfig,
  maxAlertImpacts,
} from "#contract/catalogue/alerts.ts";
import { Long } from "#contract/catalogue/common.ts";
import { requiredEnumQuery, searchQuery } from "#contract/catalogue/inputs.ts";
import {
  enumQuery,
  idListQuery,
  idParam,
  idQuery,
  pageQuery,
  pageQueryWithDefaults,
  timeQuery,
} from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { ownerViews } from "#services/api/features/owned/service.ts";

const reading = { method: "get", document: "platform", access: "signed-in" } as const;
const statuses = [...alertStatuses] as ["OPEN", ...typeof alertStatuses[number][]];

const cut = {
  "X-Lineage-Truncated": "`nodes` or `time` when that budget ended the walk before everything " +
    "upstream was found; absent otherwise",
};

function openTab(id: string, path: string, summary: string, headers?: Record<string, string>) {
  return operation({
    ...reading,
    id,
    path,
    tag: "alert",
    summary,
    query: z.object(pageQuery),
    responses: { 200: { description: "One page", schema: AlertList, headers } },
  });
}

export const allAlerts = openTab("getAllAlerts", "/api/alerts", "Open alerts (deprecated)");
export const myAlerts = openTab(
  "getAssociatedUserAlerts",
  "/api/alerts/my",
  "Open alerts on what the caller owns (deprecated)",
);
export const dependentAlerts = openTab(
  "getDependentEntitiesAlerts",
  "/api/alerts/dependents",
  "Open alerts on everything upstream of what the caller owns (deprecated)",
  cut,
);

export const totals = operation({
  ...reading,
  id: "getAlertTotals",
  path: "/api/alerts/totals",
  tag: "alert",
  summary: "Number of open alerts in the deprecated lists (deprecated)",
  responses: { 200: { description: "The numbers", schema: AlertTotals, headers: cut } },
});

const period = { begin_date: timeQuery("begin_date"), end_date: timeQuery("end_date") };
const status = { status: enumQuery("status", statuses) };
const filters = {
  ...period,
  datasource_id: idQuery("datasource_id"),
  namespace_id: idQuery("namespace_id"),
  tag_ids: idListQuery("tag_ids"),
  owner_ids: idListQuery("owner_ids"),
  ...status,
  // Beyond the published contract, whose `type` is the view.
  alert_type: enumQuery("alert_type", [...alertTypes]),
  alert_id: idQuery("alert_id"),
  query: searchQuery(
    "query",
    "Words, or beginnings of words, of what was said or of the names of entity or source; or the " +
      "entity's CATRN",
  ),
};

export const list = operation({
  ...reading,
  id: "getAlertsList",
  path: "/api/alerts/list",
  tag: "alert",
  summary: "Alerts, the last raised first",
  query: z.object({
    type: enumQuery("type", [...ownerViews]),
    ...filters,
    ...pageQueryWithDefaults,
  }),
  responses: { 200: { description: "One page", schema: z.array(Alert) } },
});

export const counts = operation({
  ...reading,
  id: "getAlertCounts",
  path: "/api/alerts/counts",
  tag: "alert",
  summary: "Number of alerts in each view",
  query: z.object(filters),
  responses: { 200: { description: "The numbers", schema: AlertCountInfo } },
});

export const impacts = operation({
  ...reading,
  id: "getAlertImpacts",
  path: "/api/alerts/impact",
  tag: "alert",
  summary: "Severity of several alerts by what they affect, and the silences that they meet",
  query: z.object({ alert_ids: idListQuery("alert_ids", maxAlertImpacts, "Ids of the alerts") }),
  responses: { 200: { description: "In the order of the request", schema: AlertImpactList } },
});

const alert = {
  tag: "alert",
  params: z.object({ alert_id: idParam("alert_id") }),
  errors: [404],
};

export const chunks = operation({
  ...reading,
  ...alert,
  id: "getAlertChunks",
  path: "/api/alerts/{alert_id}/chunks",
  summary: "What was said of an alert, the newest first",
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: AlertChunkPage } },
});

export const changeStatus = operation({
  ...alert,
  id: "changeAlertStatus",
  method: "put",
  path: "/api/alerts/{alert_id}/status",
  document: "platform",
  summary: "Resolve an alert or open it again",
  access: {
    permission: "DATA_ENTITY_ALERT_RESOLVE",
    on: "DATA_ENTITY",
    of: ({ params }) => ({ kind: "alert", id: params.alert_id }),
  },
  activity: ["ALERT_STATUS_UPDATED"],
  body: AlertStatusForm,
  responses: { 200: { description: "The alert as it is now", schema: Alert } },
});

const entity = {
  tag: "dataEntity",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  errors: [404],
};

export const entityAlerts = operation({
  ...reading,
  ...entity,
  id: "getDataEntityAlerts",
  path: "/api/dataentities/{data_entity_id}/alerts",
  summary: "Alerts of an entity, the last raised first (deprecated)",
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: AlertList } },
});

export const entityList = operation({
  ...reading,
  ...entity,
  id: "getDataEntityAlertsList",
  path: "/api/dataentities/{data_entity_id}/alerts/list",
  summary: "Alerts of an entity, the last raised first",
  query: z.object({ ...period, ...status, ...pageQueryWithDefaults }),
  responses: { 200: { description: "One page", schema: z.array(Alert) } },
});

export const entityCounts = operation({
  ...reading,
  ...entity,
  id: "getDataEntityAlertsCounts",
  path: "/api/dataentities/{data_entity_id}/alerts/counts",
  summary: "How many alerts of a status an entity has",
  query: z.object({ status: requiredEnumQuery("status", statuses) }),
  responses: { 200: { description: "The number", schema: Long } },
});

export const config = operation({
  ...reading,
  ...entity,
  id: "getAlertConfig",
  path: "/api/dataentities/{data_entity_id}/alert_config",
  summary: "Until when an entity raises no alerts",
  responses: { 200: { description: "A time for each type", schema: DataEntityAlertConfig } },
});

export const updateConfig = operation({
  ...entity,
  id: "updateAlertConfig",
  method: "put",
  path: "/api/dataentities/{data_entity_id}/alert_config",
  document: "platform",
  summary: "Set until when an entity raises no alerts; omitted members are cleared",
  access: { permission: "DATA_ENTITY_ALERT_CONFIG_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["ALERT_HALT_CONFIG_UPDATED"],
  body: AlertConfigForm,
  responses: { 200: { description: "What holds now", schema: DataEntityAlertConfig } },
});
