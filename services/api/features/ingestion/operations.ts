import { z } from "@hono/zod-openapi";
import { parameterText, textParam } from "#contract/http.ts";
import { RoutedAlertList } from "#contract/ingestion/alertmanager.ts";
import {
  AliasedDataEntityList,
  CompactDataEntityList,
  DatasetStatisticsList,
  IngestedDataSourceList,
  IngestedMetricSetList,
} from "#contract/ingestion/others.ts";
import { IngestionReport } from "#contract/ingestion/report.ts";
import { DataEntityList } from "#contract/ingestion/schema.ts";
import { IngestionAlertList } from "#contract/ingestion/source-alerts.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Reply } from "#platform/operations/declare.ts";

/** The header with the number of refused items; absent when all were accepted. */
const refusedHeader = "X-Ingestion-Refused";

const common = { document: "ingestion", access: "collector" } as const;
const refusedHeaders = {
  [refusedHeader]: "How much of the body was refused while the rest was taken; absent when all was",
};
const bodyNote = "without a body, unless there is something to report";
const states = "applied: answers see it; stored: committed, the lineage graph is behind or down; " +
  "queued: taken, the outcome is not known yet";

export const postDataEntityList = operation({
  ...common,
  id: "postDataEntityList",
  method: "post",
  path: "/ingestion/entities",
  tag: "entities",
  summary: "Take a batch of metadata",
  activity: { none: "the consumer records what the batch changes" },
  rawBody: DataEntityList,
  responses: {
    200: {
      description:
        `Taken, but for items that the body names; nothing of it is lost from here on; ${bodyNote} an item`,
      schema: IngestionReport.optional(),
      headers: {
        ...refusedHeaders,
        "X-Ingestion-State": states,
        "X-Lineage-Position": "Position of the lineage after this batch; absent when queued",
      },
    },
  },
});

export const postDataSetStatsList = operation({
  ...common,
  id: "postDataSetStatsList",
  method: "post",
  path: "/ingestion/entities/datasets/stats",
  tag: "entities",
  summary: "Put statistics into the latest fields of datasets",
  activity: { none: "statistics are not part of the activity feed" },
  rawBody: DatasetStatisticsList,
  responses: {
    201: {
      description: `Recorded, but for unknown fields, which the body names; ${bodyNote} a field`,
      schema: IngestionReport.optional(),
      headers: refusedHeaders,
    },
  },
  errors: [404],
});

export const createDataSource = operation({
  ...common,
  id: "createDataSource",
  method: "post",
  path: "/ingestion/datasources",
  tag: "datasources",
  summary: "Register data sources; harmless when repeated",
  activity: { none: "data sources are not part of the activity feed" },
  rawBody: IngestedDataSourceList,
  responses: { 200: { description: "Registered" } },
});

export const ingestMetrics = operation({
  ...common,
  id: "ingestMetrics",
  method: "post",
  path: "/ingestion/metrics",
  tag: "metrics",
  summary: "Keep the latest points of metrics",
  activity: { none: "metrics are not part of the activity feed" },
  rawBody: IngestedMetricSetList,
  responses: { 201: { description: "Recorded" } },
});

export const routeAlerts = operation({
  ...common,
  id: "routeAlerts",
  method: "post",
  path: "/ingestion/alert/alertrouter",
  tag: "alerts",
  summary:
    "Take the alerts of an alert router: each that fires is one distribution anomaly on the entity that " +
    "its label `entity_catrn` names, until it is reported as resolved",
  activity: ["OPEN_ALERT_RECEIVED", "ALERT_STATUS_UPDATED", "RESOLVED_ALERT_RECEIVED"],
  rawBody: RoutedAlertList,
  responses: { 200: { description: "Recorded, even if it did not exist" } },
  errors: [413],
});

/** The path to which alert routers of the upstream ecosystem post. */
export const routeAlertsOfAlertmanager = operation({
  ...routeAlerts,
  id: "routeAlertsOfAlertmanager",
  path: "/ingestion/alert/alertmanager",
  summary: "Another path of `/ingestion/alert/alertrouter`",
});

export const createAlerts = operation({
  ...common,
  id: "createAlerts",
  method: "post",
  path: "/ingestion/alerts",
  tag: "alerts",
  summary: "Report an unreachable data source, or a failing agent; when repeated, the " +
    "open alert grows, and the next batch of the source resolves it",
  activity: ["OPEN_ALERT_RECEIVED"],
  rawBody: IngestionAlertList,
  responses: { 200: { description: "Recorded, even if it did not exist" } },
  errors: [413],
});

export const getDataEntitiesByDEGCatrn = operation({
  ...common,
  id: "getDataEntitiesByDEGCatrn",
  method: "get",
  path: "/ingestion/entities/{degCatrn}/children",
  tag: "entities",
  summary: "Direct members of a group",
  params: z.object({ degCatrn: textParam("degCatrn") }),
  errors: [],
  responses: {
    200: { description: "Members; none of an unknown group", schema: CompactDataEntityList },
  },
});

const groupQuery = (name: string, description: string) =>
  parameterText.optional().openapi({
    param: { name, in: "query", required: false, description },
    type: "string",
  });

/** The variant for collectors of the upstream ecosystem, which read `oddrn` in the answer. */
export const getDataEntitiesByGroupQuery = operation({
  ...common,
  id: "getDataEntitiesByDEGCatrnQuery",
  method: "get",
  path: "/ingestion/entities/degs/children",
  tag: "entities",
  summary: "Direct members of a group named in the query",
  query: z.object({
    catrn: groupQuery("catrn", "CATRN of the group"),
    oddrn: groupQuery("oddrn", "Another spelling of `catrn`"),
  }).refine(({ catrn, oddrn }) => (catrn ?? oddrn ?? "") !== "", {
    path: ["catrn"],
    error: "is required",
  }),
  responses: {
    200: { description: "Members; none of an unknown group", schema: AliasedDataEntityList },
  },
});

/** The answer for accepted data: without a body, unless there is something to report. */
export function replyOf(
  status: number,
  report: IngestionReport,
  headers: Record<string, string> = {},
): Reply {
  if (report.details.length === 0 && report.refused === 0) return { status, headers };
  const all = { ...headers };
  if (report.refused > 0) all[refusedHeader] = String(report.refused);
  return { status, headers: all, body: report };
}

/** Counts and logs refused items of an accepted request, since its sender may not read the answer. */
export function noteRefused(
  { metrics, log }: Pick<Context, "metrics" | "log">,
  kind: "items" | "statistics",
  { refused, details }: IngestionReport,
  more: Record<string, unknown> = {},
): void {
  if (refused === 0) return;
  metrics.counter(
    "tributary_ingestion_refused_total",
    "Items of batches, and fields of statistics, that were refused while the rest was accepted",
    ["kind"],
  ).inc({ kind }, refused);
  log.warn("batch accepted in part", { kind, refused, first: details[0], ...more });
}
