import { z } from "@hono/zod-openapi";
import {
  CatalogueCoverage,
  DataEntityBriefList,
  DataEntityClassAndTypeDictionary,
  DataEntityDetails,
  DataEntityList,
  DataEntityUsageInfo,
  maxBriefs,
  referenceLists,
} from "#contract/catalogue/entity.ts";
import { DataEntityRefList, DataEntityRefPage } from "#contract/catalogue/entity-ref.ts";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { booleanQuery, idListQuery, idParam, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "#services/api/features/dataentities/service.ts";

const common = {
  method: "get" as const,
  tag: "dataEntity",
  access: "signed-in" as const,
};

const listSpec = operation({
  ...common,
  id: "getDataEntityList",
  path: "/api/dataentities",
  summary: "List entities; deleted, hollow and excluded ones are hidden",
  query: z.object({
    ...pageQuery,
    query: searchQuery("query", "Words, or beginnings of words, of the entity's names"),
    catrn: searchQuery("catrn", "The CATRN of one entity"),
  }),
  responses: { 200: { description: "One page", schema: DataEntityList } },
});

const classesSpec = operation({
  ...common,
  id: "getDataEntityClasses",
  path: "/api/dataentities/classes",
  summary: "All classes of entities, each with its types",
  responses: { 200: { description: "Classes", schema: DataEntityClassAndTypeDictionary } },
});

const usageSpec = operation({
  ...common,
  id: "getDataEntitiesUsage",
  path: "/api/dataentities/usage",
  summary: "Numbers of entities, and of those without any addition by people",
  responses: { 200: { description: "Counts", schema: DataEntityUsageInfo } },
});

const coverageSpec = operation({
  ...common,
  id: "getCatalogueCoverage",
  path: "/api/dataentities/coverage",
  summary: "Numbers of datasets, and of those without an owner, a description or tests",
  responses: { 200: { description: "Counts", schema: CatalogueCoverage } },
});

const popularSpec = operation({
  ...common,
  id: "getPopular",
  path: "/api/dataentities/popular",
  summary:
    "The entities first that are viewed here and read in their source most; without groups and relationships",
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: DataEntityRefList } },
});

const briefsSpec = operation({
  ...common,
  id: "getDataEntitiesByIds",
  path: "/api/dataentities/details",
  summary:
    "What is shown of entities at a glance, by their ids; unknown and hollow ones are listed",
  query: z.object({ ids: idListQuery("ids", maxBriefs) }),
  responses: { 200: { description: "Those that are known", schema: DataEntityBriefList } },
});

const detailsSpec = operation({
  ...common,
  id: "getDataEntityDetails",
  path: "/api/dataentities/{data_entity_id}",
  summary: "Everything about one entity; counts a view",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  // Beyond the published contract: a client that shows an entity reloads it when it changes.
  query: z.object({
    count_view: booleanQuery("count_view", "`false`: this is no view, as when it is read again"),
  }),
  responses: { 200: { description: "The entity", schema: DataEntityDetails } },
});

const listParam = z.enum(referenceLists, {
  error: `must be one of ${referenceLists.join(", ")}`,
}).openapi({ param: { name: "list", in: "path", required: true } });

const referencesSpec = operation({
  ...common,
  id: "getDataEntityReferences",
  path: "/api/dataentities/{data_entity_id}/references/{list}",
  summary:
    "The full list of references of an entity, which details and lists truncate, in the same order",
  params: z.object({ data_entity_id: idParam("data_entity_id"), list: listParam }),
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: DataEntityRefPage } },
});

/** The operations that read data entities: list, details, references, classes, usage, popular. */
export function dataEntityRoutes(context: Context): Route[] {
  const views = new service.ViewCounter(context);
  return [
    serve(
      listSpec,
      ({ query: { query, catrn, ...page } }) =>
        service.listEntities(context, { query, catrn }, page),
    ),
    serve(classesSpec, () => ok(service.classDictionary)),
    serve(usageSpec, () => service.countUsage(context)),
    serve(coverageSpec, async () => ok(await service.countCoverage(context))),
    serve(briefsSpec, ({ query }) => service.readBriefs(context, query.ids)),
    serve(popularSpec, ({ query }) => service.listPopular(context, query)),
    serve(
      detailsSpec,
      ({ params, query }) => {
        const counting = query.count_view === false ? null : views;
        return service.describeEntity(context, counting, params.data_entity_id);
      },
    ),
    serve(referencesSpec, ({ params, query }) => {
      const { data_entity_id: id, list } = params;
      return service.listReferences(context, id, list, query);
    }),
  ];
}
