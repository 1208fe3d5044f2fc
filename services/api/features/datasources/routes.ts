import { z } from "@hono/zod-openapi";
import { DataSource, DataSourceArrivals, DataSourceList } from "#contract/catalogue/common.ts";
import { DataSourceForm, DataSourceUpdateForm, listQuery } from "#contract/catalogue/inputs.ts";
import { idParam, idQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "#services/api/features/datasources/service.ts";

const all = {
  tag: "dataSource",
  path: "/api/datasources",
  activity: { none: "the feed contains changes of entities; a data source is not one" },
  secret: true,
};
const one = {
  ...all,
  path: "/api/datasources/{data_source_id}",
  params: z.object({ data_source_id: idParam("data_source_id") }),
};

const listSpec = operation({
  ...all,
  id: "getDataSourceList",
  method: "get",
  summary: "Data sources by name; their tokens are masked",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: DataSourceList } },
});

const registerSpec = operation({
  ...all,
  id: "registerDataSource",
  method: "post",
  summary: "Register a data source; only this response contains its token",
  access: { permission: "DATA_SOURCE_CREATE", on: "MANAGEMENT" },
  body: DataSourceForm,
  responses: { 200: { description: "The data source", schema: DataSource } },
});

const updateSpec = operation({
  ...one,
  id: "updateDataSource",
  method: "put",
  summary: "Change a data source; members left out stay, null empties them",
  access: { permission: "DATA_SOURCE_UPDATE", on: "MANAGEMENT" },
  body: DataSourceUpdateForm,
  responses: { 200: { description: "The data source", schema: DataSource } },
});

const deleteSpec = operation({
  ...one,
  id: "deleteDataSource",
  method: "delete",
  summary: "Delete a data source that has no entities",
  access: { permission: "DATA_SOURCE_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

const tokenSpec = operation({
  ...one,
  id: "regenerateDataSourceToken",
  method: "put",
  path: `${one.path}/token`,
  summary: "Regenerate the token of a data source; the old one is invalid immediately",
  access: { permission: "DATA_SOURCE_TOKEN_REGENERATE", on: "MANAGEMENT" },
  responses: { 200: { description: "The data source with its full token", schema: DataSource } },
});

const arrivalsSpec = operation({
  tag: all.tag,
  id: "getDataSourceArrivals",
  method: "get",
  path: `${all.path}/arrivals`,
  summary: "What has come from a data source, or from all sources of a collector",
  access: "signed-in",
  query: z.object({
    data_source_id: idQuery("data_source_id"),
    collector_id: idQuery("collector_id"),
  }),
  responses: { 200: { description: "What is in the catalogue", schema: DataSourceArrivals } },
});

/** The operations on data sources. */
export function dataSourceRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => service.listSources(context, query)),
    serve(registerSpec, ({ body, actor }) => service.registerSource(context, actor, body)),
    serve(
      updateSpec,
      ({ params, body, actor }) =>
        service.updateSource(context, actor, params.data_source_id, body),
    ),
    serve(arrivalsSpec, async ({ query }) => {
      const { data_source_id: source, collector_id: collector } = query;
      return ok(await service.readArrivals(context, { source, collector }));
    }),
    serve(
      deleteSpec,
      ({ params, actor }) => service.deleteSource(context, actor, params.data_source_id),
    ),
    serve(
      tokenSpec,
      ({ params, actor }) => service.regenerateToken(context, actor, params.data_source_id),
    ),
  ];
}
