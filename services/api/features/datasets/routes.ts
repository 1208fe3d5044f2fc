import { z } from "@hono/zod-openapi";
import {
  DataSetStructure,
  DataSetVersionDiffList,
  DataSetVersionList,
} from "#contract/catalogue/dataset.ts";
import { idParam, integerQuery, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/datasets/service.ts";

const common = {
  method: "get" as const,
  tag: "dataSet",
  document: "platform" as const,
  access: "signed-in" as const,
  errors: [404],
};
const dataset = { data_entity_id: idParam("data_entity_id") };
const versionQuery = (name: string) =>
  integerQuery(name, { min: 1, max: Number.MAX_SAFE_INTEGER, required: true });

const latestSpec = operation({
  ...common,
  id: "getDataSetStructureLatest",
  path: "/api/datasets/{data_entity_id}/structure",
  summary: "The newest structure of a dataset",
  params: z.object(dataset),
  responses: { 200: { description: "Fields and version", schema: DataSetStructure } },
});

const diffSpec = operation({
  ...common,
  id: "getDataSetStructureDiff",
  path: "/api/datasets/{data_entity_id}/structure/diff",
  summary: "What became of each field from one version to another",
  params: z.object(dataset),
  query: z.object({
    first_version_id: versionQuery("first_version_id"),
    second_version_id: versionQuery("second_version_id"),
  }),
  responses: { 200: { description: "Every field of both", schema: DataSetVersionDiffList } },
});

const versionSpec = operation({
  ...common,
  id: "getDataSetStructureByVersionId",
  path: "/api/datasets/{data_entity_id}/structure/{version_id}",
  summary: "The structure of a dataset in one of its versions",
  params: z.object({ ...dataset, version_id: idParam("version_id") }),
  responses: { 200: { description: "Fields and version", schema: DataSetStructure } },
});

const versionsSpec = operation({
  ...common,
  id: "getDataSetVersions",
  path: "/api/datasets/{data_entity_id}/versions",
  summary: "Every version of a dataset's structure, the newest first",
  params: z.object(dataset),
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: DataSetVersionList } },
});

/** The operations that read the structure of datasets. */
export function datasetRoutes(context: Context): Route[] {
  return [
    serve(
      latestSpec,
      async ({ params }) => okJson(await service.latestStructure(context, params.data_entity_id)),
    ),
    serve(diffSpec, async ({ params, query }) => {
      const { first_version_id: from, second_version_id: to } = query;
      return okJson(await service.compareStructures(context, params.data_entity_id, from, to));
    }),
    serve(
      versionSpec,
      async ({ params }) =>
        okJson(await service.structureOf(context, params.data_entity_id, params.version_id)),
    ),
    serve(
      versionsSpec,
      async ({ params, query }) =>
        okJson(await service.listVersions(context, params.data_entity_id, query)),
    ),
  ];
}
