import { z } from "@hono/zod-openapi";
import { DataEntity, DataEntityList } from "#contract/catalogue/entity.ts";
import {
  DataQualityResults,
  DataQualityTestSeverityForm,
  DataSetSLAReport,
  DataSetTestHistory,
  DataSetTestReport,
} from "#contract/catalogue/quality.ts";
import { runStatuses } from "#contract/entities.ts";
import {
  enumQuery,
  idListQuery,
  idParam,
  integerQuery,
  maxPageSize,
  pageQueryWithDefaults,
} from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { badgeFormats } from "#services/api/features/quality/badge.ts";
import { categoryNames, tableHealths } from "#services/api/features/quality/dashboard.ts";

const common = { tag: "dataQuality" };
const dataset = { data_entity_id: idParam("data_entity_id") };
const reading = { ...common, method: "get", access: "signed-in" } as const;
const ofDataset = { ...reading, params: z.object(dataset) };
const runs = { ...reading, tag: "dataQualityRuns" };
const cacheHeaders = {
  ETag: "Of this picture",
  "Cache-Control": "For how long it may be shown without asking again",
};

export const badge = operation({
  ...ofDataset,
  id: "getSLA",
  path: "/api/datasets/{data_entity_id}/sla",
  summary: "The colour of a dataset's SLA as a picture: PNG, or SVG where that is requested or " +
    "preferred (`Accept`)",
  query: z.object({ format: enumQuery("format", [...badgeFormats]) }),
  responses: {
    200: {
      description: "The badge",
      schema: z.string().openapi({ format: "binary" }),
      contentType: ["image/png", "image/svg+xml"],
      headers: cacheHeaders,
    },
    304: { description: "The client has it already (`If-None-Match`)", headers: cacheHeaders },
  },
});

export const slaReport = operation({
  ...ofDataset,
  id: "getDatasetSLAReport",
  path: "/api/datasets/{data_entity_id}/sla_report",
  summary: "How a dataset keeps what its tests demand, by their severities",
  responses: { 200: { description: "Weights and colour", schema: DataSetSLAReport } },
});

export const testReport = operation({
  ...ofDataset,
  id: "getDatasetTestReport",
  path: "/api/datasets/{data_entity_id}/test_report",
  summary: "A dataset's tests by the status of their last finished run",
  responses: { 200: { description: "Counts", schema: DataSetTestReport } },
});

export const testHistory = operation({
  ...ofDataset,
  id: "getDatasetTestHistory",
  path: "/api/datasets/{data_entity_id}/test_history",
  summary: "Results of the tests of a dataset by day, of the last 30 days",
  responses: { 200: { description: "Every day, the oldest first", schema: DataSetTestHistory } },
});

export const tests = operation({
  ...ofDataset,
  id: "getDataEntityDataQATests",
  path: "/api/datasets/{data_entity_id}/dataqatests",
  summary: "Tests of a dataset, in the order in which the catalogue came to know them",
  query: z.object({
    page: integerQuery("page", { min: 1, max: 2 ** 31 - 1, default: 1 }),
    size: integerQuery("size", { min: 1, max: maxPageSize, default: maxPageSize }),
  }),
  responses: {
    200: { description: "One page; `severity` is that for this dataset", schema: DataEntityList },
  },
});

export const setSeverity = operation({
  ...common,
  id: "setDataQATestSeverity",
  method: "put",
  path: "/api/datasets/{data_entity_id}/dataqatests/{dataqa_test_id}/severity",
  summary: "Set how severe a test is for a dataset",
  access: { permission: "DATASET_TEST_RUN_SET_SEVERITY", on: "DATA_ENTITY", of: entityOfPath },
  activity: { none: "severities are not part of the activity feed" },
  params: z.object({ ...dataset, dataqa_test_id: idParam("dataqa_test_id") }),
  body: DataQualityTestSeverityForm,
  responses: { 200: { description: "The test", schema: DataEntity } },
});

/** Filters of tests, and of datasets. */
const filters = {
  namespaceIds: idListQuery("namespaceIds"),
  datasourceIds: idListQuery("datasourceIds"),
  ownerIds: idListQuery("ownerIds"),
  titleIds: idListQuery("titleIds"),
  tagIds: idListQuery("tagIds"),
  deNamespaceIds: idListQuery("deNamespaceIds"),
  deDatasourceIds: idListQuery("deDatasourceIds"),
  deOwnerIds: idListQuery("deOwnerIds"),
  deTitleIds: idListQuery("deTitleIds"),
  deTagIds: idListQuery("deTagIds"),
};

export const dashboard = operation({
  ...runs,
  id: "getDataQualityTestsRuns",
  path: "/api/dataqatests/runs",
  summary: "How tests went by category, and how healthy what they test is; filters of tests, and " +
    "(`de…`) of datasets",
  query: z.object(filters),
  responses: { 200: { description: "Counts", schema: DataQualityResults } },
});

export const countedTests = operation({
  ...runs,
  id: "getCountedTests",
  path: "/api/dataqatests/tests",
  summary: "The tests behind a number of the dashboard, by category and status of the latest run",
  query: z.object({
    ...pageQueryWithDefaults,
    ...filters,
    category: enumQuery("category", categoryNames),
    status: enumQuery("status", [...runStatuses]),
  }),
  responses: { 200: { description: "One page, by id", schema: DataEntityList } },
});

export const countedTables = operation({
  ...runs,
  id: "getCountedTables",
  path: "/api/dataqatests/tables",
  summary: "The datasets behind a number of the dashboard, by health",
  query: z.object({
    ...pageQueryWithDefaults,
    ...filters,
    health: enumQuery("health", [...tableHealths]),
  }),
  responses: { 200: { description: "One page, by id", schema: DataEntityList } },
});
