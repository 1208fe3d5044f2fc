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
import type { Context } from "#platform/context.ts";
import type { AccessControl, Authorizer } from "#platform/operations/access.ts";
import {
  ok,
  okJson,
  operation,
  type Reply,
  type Route,
  serve,
} from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { openAccess } from "#services/api/access/service.ts";
import * as service from "#services/api/features/alerts/service.ts";
import { ownerViews } from "#services/api/features/owned/service.ts";

const reading = { method: "get", tag: "alert", access: "signed-in" } as const;
const statuses = [...alertStatuses] as ["OPEN", ...typeof alertStatuses[number][]];

const cut = {
  "X-Lineage-Truncated": "`nodes` or `time` when that budget ended the walk before everything " +
    "upstream was found; absent otherwise",
};

function tabSpec(id: string, path: string, summary: string, headers?: Record<string, string>) {
  return operation({
    ...reading,
    id,
    path,
    summary,
    query: z.object(pageQuery),
    responses: { 200: { description: "One page", schema: AlertList, headers } },
  });
}

const allSpec = tabSpec("getAllAlerts", "/api/alerts", "Open alerts (deprecated)");
const mySpec = tabSpec(
  "getAssociatedUserAlerts",
  "/api/alerts/my",
  "Open alerts on what the caller owns (deprecated)",
);
const dependentsSpec = tabSpec(
  "getDependentEntitiesAlerts",
  "/api/alerts/dependents",
  "Open alerts on everything upstream of what the caller owns (deprecated)",
  cut,
);

const totalsSpec = operation({
  ...reading,
  id: "getAlertTotals",
  path: "/api/alerts/totals",
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

const listSpec = operation({
  ...reading,
  id: "getAlertsList",
  path: "/api/alerts/list",
  summary: "Alerts, the last raised first",
  query: z.object({
    type: enumQuery("type", [...ownerViews]),
    ...filters,
    ...pageQueryWithDefaults,
  }),
  responses: { 200: { description: "One page", schema: z.array(Alert) } },
});

const countsSpec = operation({
  ...reading,
  id: "getAlertCounts",
  path: "/api/alerts/counts",
  summary: "Number of alerts in each view",
  query: z.object(filters),
  responses: { 200: { description: "The numbers", schema: AlertCountInfo } },
});

const impactsSpec = operation({
  ...reading,
  id: "getAlertImpacts",
  path: "/api/alerts/impact",
  summary: "Severity of several alerts by what they affect, and the silences that they meet",
  query: z.object({ alert_ids: idListQuery("alert_ids", maxAlertImpacts, "Ids of the alerts") }),
  responses: { 200: { description: "In the order of the request", schema: AlertImpactList } },
});

const ofAlert = {
  tag: "alert",
  params: z.object({ alert_id: idParam("alert_id") }),
};

const chunksSpec = operation({
  ...reading,
  ...ofAlert,
  id: "getAlertChunks",
  path: "/api/alerts/{alert_id}/chunks",
  summary: "What was said of an alert, the newest first",
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: AlertChunkPage } },
});

const statusSpec = operation({
  ...ofAlert,
  id: "changeAlertStatus",
  method: "put",
  path: "/api/alerts/{alert_id}/status",
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

const ofEntity = {
  tag: "dataEntity",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
};

const entityTabSpec = operation({
  ...reading,
  ...ofEntity,
  id: "getDataEntityAlerts",
  path: "/api/dataentities/{data_entity_id}/alerts",
  summary: "Alerts of an entity, the last raised first (deprecated)",
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: AlertList } },
});

const entityListSpec = operation({
  ...reading,
  ...ofEntity,
  id: "getDataEntityAlertsList",
  path: "/api/dataentities/{data_entity_id}/alerts/list",
  summary: "Alerts of an entity, the last raised first",
  query: z.object({ ...period, ...status, ...pageQueryWithDefaults }),
  responses: { 200: { description: "One page", schema: z.array(Alert) } },
});

const entityCountsSpec = operation({
  ...reading,
  ...ofEntity,
  id: "getDataEntityAlertsCounts",
  path: "/api/dataentities/{data_entity_id}/alerts/counts",
  summary: "How many alerts of a status an entity has",
  query: z.object({ status: requiredEnumQuery("status", statuses) }),
  responses: { 200: { description: "The number", schema: Long } },
});

const configSpec = operation({
  ...reading,
  ...ofEntity,
  id: "getAlertConfig",
  path: "/api/dataentities/{data_entity_id}/alert_config",
  summary: "Until when an entity raises no alerts",
  responses: { 200: { description: "A time for each type", schema: DataEntityAlertConfig } },
});

const updateConfigSpec = operation({
  ...ofEntity,
  id: "updateAlertConfig",
  method: "put",
  path: "/api/dataentities/{data_entity_id}/alert_config",
  summary: "Set until when an entity raises no alerts; omitted members are cleared",
  access: { permission: "DATA_ENTITY_ALERT_CONFIG_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["ALERT_HALT_CONFIG_UPDATED"],
  body: AlertConfigForm,
  responses: { 200: { description: "What holds now", schema: DataEntityAlertConfig } },
});

/** Operations on alerts and on their configuration. */
export function alertRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  return [...listRoutes(context, authorizer), ...entityRoutes(context), ...changeRoutes(context)];
}

function listRoutes(context: Context, authorizer: Authorizer): Route[] {
  const tab = (spec: typeof allSpec, name: service.OpenTab) =>
    serve(spec, async ({ query, actor }) => {
      const { answer, truncated } = await service.openAlerts(context, actor, name, query);
      return okJson(answer, cutHeader(truncated));
    });
  return [
    tab(allSpec, "all"),
    tab(mySpec, "my"),
    tab(dependentsSpec, "dependents"),
    serve(totalsSpec, async ({ actor }): Promise<Reply> => {
      const { answer, truncated } = await service.countTabs(context, actor);
      return ok(answer, cutHeader(truncated));
    }),
    serve(
      listSpec,
      ({ query: { type = "ALL", ...query }, actor }) =>
        service.listAlerts(context, actor, type, query),
    ),
    serve(chunksSpec, ({ params, query }) => service.listChunks(context, params.alert_id, query)),
    serve(impactsSpec, async ({ query, actor }) => {
      const permissions = await authorizer.permissionsOf(actor);
      const silences = permissions.includes("NOTIFICATION_VIEW");
      return ok({ items: await service.readImpacts(context, query.alert_ids, { silences }) });
    }),
    serve(
      countsSpec,
      async ({ query, actor }) => ok(await service.countViews(context, actor, query)),
    ),
  ];
}

const cutHeader = (reason?: string) => reason ? { "X-Lineage-Truncated": reason } : undefined;

function entityRoutes(context: Context): Route[] {
  return [
    serve(
      entityTabSpec,
      ({ params, query }) => service.pageEntityAlerts(context, params.data_entity_id, query),
    ),
    serve(
      entityListSpec,
      ({ params, query }) => service.listEntityAlerts(context, params.data_entity_id, query),
    ),
    serve(
      entityCountsSpec,
      async ({ params, query }) =>
        ok(await service.countEntityAlerts(context, params.data_entity_id, query.status)),
    ),
    serve(
      configSpec,
      async ({ params }) => ok(await service.readConfig(context, params.data_entity_id)),
    ),
  ];
}

function changeRoutes(context: Context): Route[] {
  return [
    serve(
      statusSpec,
      ({ params, body, actor }) =>
        service.changeStatus(context, actor, params.alert_id, body.status),
    ),
    serve(
      updateConfigSpec,
      async ({ params, body, actor }) =>
        ok(await service.writeConfig(context, actor, params.data_entity_id, body)),
    ),
  ];
}
