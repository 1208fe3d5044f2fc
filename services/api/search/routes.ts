import type { Context } from "#platform/context.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import * as operations from "#services/api/search/operations.ts";
import { Search } from "#services/api/search/search.ts";

/** The operations of a family's searches. */
export function familyRoutes(context: Context, family: SearchFamily): Route[] {
  const search = new Search(context, family);
  const { start, read, change } = operations.sessionOperations(family);
  return [
    serve(start, async ({ body, actor }) => okJson(await search.start(actor, body))),
    serve(read, async ({ params, actor }) => okJson(await search.read(actor, params.search_id))),
    serve(
      change,
      async ({ params, body, actor }) => okJson(await search.change(actor, params.search_id, body)),
    ),
    ...facetRoutes(family, search),
    serve(
      operations.resultsOperation(family),
      async ({ params, query, actor }) =>
        okJson(await search.results(actor, params.search_id, query)),
    ),
    ...suggestionRoutes(family, search),
  ];
}

function facetRoutes(family: SearchFamily, search: Search): Route[] {
  const id = family.operations.facet;
  if (id === undefined) return [];
  return [
    serve(
      operations.facetOperation(family, id),
      async ({ params: { search_id, facet_type }, query, actor }) =>
        okJson(await search.facet(actor, search_id, facet_type, query)),
    ),
  ];
}

function suggestionRoutes(family: SearchFamily, search: Search): Route[] {
  const { suggestions: spec, operations: { suggestions: id } } = family;
  if (!spec || id === undefined) return [];
  return [
    serve(
      operations.suggestionsOperation(family, id, spec),
      async ({ query }) => okJson(await search.suggestions(spec, query)),
    ),
  ];
}
