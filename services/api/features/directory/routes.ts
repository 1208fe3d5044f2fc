import { z } from "@hono/zod-openapi";
import { DataSource, Long } from "#contract/catalogue/common.ts";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { DataEntityTypeList } from "#contract/catalogue/entity-ref.ts";
import { Id, idParam, integerQuery, pageQuery, storableParameter } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok, okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/directory/service.ts";

const DataSourceTypeList = z.object({
  items: z.array(
    z.object({ prefix: z.string(), name: z.string(), entities_count: Long })
      .openapi("DataSourceType"),
  ),
}).openapi("DataSourceTypeList");

const DataSourceDirectoryList = z.object({
  items: z.array(
    z.object({
      id: Id,
      name: z.string(),
      properties: z.record(z.string(), z.string()),
      entities_count: Long,
    }).openapi("DataSourceDirectory"),
  ),
  entities_count: Long,
}).openapi("DataSourceDirectoryList");

const DataSourceEntityList = z.object({ entities: DataEntityList, data_source: DataSource })
  .openapi("DataSourceEntityList");

const common = {
  method: "get" as const,
  tag: "directory",
  document: "platform" as const,
  access: "signed-in" as const,
};
const params = z.object({ data_source_id: idParam("data_source_id") });

const systemsSpec = operation({
  ...common,
  id: "getDataSourceTypes",
  path: "/api/directory",
  summary: "The systems whose data sources are registered, by the prefix of their CATRNs",
  responses: { 200: { description: "The systems", schema: DataSourceTypeList } },
});

const sourcesSpec = operation({
  ...common,
  id: "getDirectoryDatasourceList",
  path: "/api/directory/datasources",
  summary: "The data sources of a system",
  query: z.object({
    prefix: storableParameter.min(1, { error: "must not be empty" })
      .openapi({ param: { name: "prefix", in: "query", required: true } }),
  }),
  responses: { 200: { description: "The data sources", schema: DataSourceDirectoryList } },
});

const typesSpec = operation({
  ...common,
  id: "getDatasourceEntityTypes",
  path: "/api/directory/datasources/{data_source_id}/types",
  summary: "The types of a data source's entities",
  params,
  responses: { 200: { description: "The types", schema: DataEntityTypeList } },
  errors: [404],
});

const entitiesSpec = operation({
  ...common,
  id: "getDatasourceEntities",
  path: "/api/directory/datasources/{data_source_id}",
  summary: "The entities of a data source, of one type or of all",
  params,
  query: z.object({ ...pageQuery, type_id: integerQuery("type_id", { min: 1, max: 32_767 }) }),
  responses: { 200: { description: "One page", schema: DataSourceEntityList } },
  errors: [404],
});

/** The operations to browse from systems to data sources to entities. */
export function directoryRoutes(context: Context): Route[] {
  return [
    serve(systemsSpec, async () => ok(await service.listSystems(context))),
    serve(sourcesSpec, async ({ query }) => ok(await service.listSources(context, query.prefix))),
    serve(
      typesSpec,
      async ({ params }) => okJson(await service.listTypes(context, params.data_source_id)),
    ),
    serve(
      entitiesSpec,
      async ({ params, query }) =>
        okJson(await service.listEntities(context, params.data_source_id, query)),
    ),
  ];
}
