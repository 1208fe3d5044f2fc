import { z } from "@hono/zod-openapi";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { enumQuery, idParam, integerQuery, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok, okJson } from "#platform/operations/reply.ts";
import {
  CountableSearchFilter,
  DataEntitySearchHighlight,
  facetParam,
  SearchFacetsData,
  SearchForm,
  typedQuery,
} from "#services/api/features/search/schemas.ts";
import * as service from "#services/api/features/search/service.ts";

const common = {
  tag: "search",
  document: "platform" as const,
  access: "signed-in" as const,
};
const search_id = z.uuid({ error: "must be a UUID" }).openapi({
  param: { name: "search_id", in: "path", required: true },
  type: "string",
  format: "uuid",
});
const params = z.object({ search_id });
const activity = { none: "a search changes nothing in the catalogue" };
const facetsData = { 200: { description: "The search", schema: SearchFacetsData } };

const startSpec = operation({
  ...common,
  id: "search",
  method: "post",
  path: "/api/search",
  summary: "Start a search; its id reads facets and results",
  activity,
  body: SearchForm,
  responses: facetsData,
});

const readSpec = operation({
  ...common,
  id: "getSearchFacetList",
  method: "get",
  path: "/api/search/{search_id}",
  summary: "What a search is narrowed by, and how much it finds",
  params,
  responses: facetsData,
  errors: [404],
});

const changeSpec = operation({
  ...common,
  id: "updateSearchFacets",
  method: "put",
  path: "/api/search/{search_id}",
  summary: "Change a search: selected values are added, others taken away, the query replaced",
  activity,
  params,
  body: SearchForm,
  responses: facetsData,
  errors: [404],
});

const facetSpec = operation({
  ...common,
  id: "getFiltersForFacet",
  method: "get",
  path: "/api/search/{search_id}/facet/{facet_type}",
  summary: "What a facet still offers, with the number of entities found by each value",
  params: z.object({ search_id, facet_type: facetParam }),
  query: z.object({ ...pageQuery, query: typedQuery }),
  responses: { 200: { description: "One page", schema: z.array(CountableSearchFilter) } },
  errors: [404],
});

const resultsSpec = operation({
  ...common,
  id: "getSearchResults",
  method: "get",
  path: "/api/search/{search_id}/results",
  summary: "What a search finds, the best matches first",
  params,
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: DataEntityList } },
  errors: [404],
});

const highlightsSpec = operation({
  ...common,
  id: "highlightDataEntity",
  method: "get",
  path: "/api/search/{search_id}/data_entities/{data_entity_id}/highlights",
  summary: "Where a search finds its words in an entity, as HTML",
  params: z.object({ search_id, data_entity_id: idParam("data_entity_id") }),
  responses: { 200: { description: "The texts with a match", schema: DataEntitySearchHighlight } },
  errors: [404],
});

const suggestionsSpec = operation({
  ...common,
  id: "getSearchSuggestions",
  method: "get",
  path: "/api/search/suggestions",
  summary: "The five best matches of what is typed so far",
  query: z.object({
    query: typedQuery,
    entity_class_id: integerQuery("entity_class_id", { min: 1, max: 32_767 }),
    manually_created: enumQuery("manually_created", ["true", "false"]),
  }),
  responses: { 200: { description: "The matches", schema: DataEntityRefList } },
});

/** The operations of the generic search over entities. */
export function searchRoutes(context: Context): Route[] {
  return [
    serve(
      startSpec,
      async ({ body, actor }) => okJson(await service.startSearch(context, actor, body)),
    ),
    serve(
      readSpec,
      async ({ params, actor }) =>
        okJson(await service.readSearch(context, actor, params.search_id)),
    ),
    serve(
      changeSpec,
      async ({ params, body, actor }) =>
        okJson(await service.changeSearch(context, actor, params.search_id, body)),
    ),
    serve(
      facetSpec,
      async ({ params: { search_id, facet_type }, query, actor }) =>
        okJson(await service.facetValues(context, actor, search_id, facet_type, query)),
    ),
    serve(
      resultsSpec,
      async ({ params, query, actor }) =>
        okJson(await service.searchResults(context, actor, params.search_id, query)),
    ),
    serve(
      highlightsSpec,
      async ({ params }) =>
        ok(await service.highlights(context, params.search_id, params.data_entity_id)),
    ),
    serve(suggestionsSpec, async ({ query }) => {
      const manual = query.manually_created && query.manually_created === "true";
      const filter = { classId: query.entity_class_id, manual };
      return okJson(await service.suggest(context, query.query, filter));
    }),
  ];
}
