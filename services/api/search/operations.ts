import { z } from "@hono/zod-openapi";
import { pageQuery } from "#contract/http.ts";
import { operation } from "#platform/operations/declare.ts";
import {
  searchBounds,
  type SearchFamily,
  type SuggestionSpec,
} from "#services/api/search/family.ts";
import {
  CountableSearchFilter,
  facetsDataOf,
  formOf,
  typedQuery,
} from "#services/api/search/forms.ts";

const activity = { none: "a search changes nothing in the catalogue" };

/** The path parameter that identifies a search. */
export const searchId = z.uuid({ error: "must be a UUID" }).openapi({
  param: { name: "search_id", in: "path", required: true },
  type: "string",
  format: "uuid",
});
const params = z.object({ search_id: searchId });

const commonOf = ({ tag }: { tag: string }) => ({
  tag,
  document: "platform" as const,
  access: "signed-in" as const,
});

/** Operations to start, read and change a search. */
export function sessionOperations(family: SearchFamily) {
  const { path, operations: ids } = family;
  const body = formOf(family);
  const common = {
    ...commonOf(family),
    responses: { 200: { description: "The search", schema: facetsDataOf(family) } },
  };
  return {
    start: operation({
      ...common,
      id: ids.start,
      method: "post",
      path,
      summary: "Start a search; its id reads facets and results",
      activity,
      reads: true,
      body,
    }),
    read: operation({
      ...common,
      id: ids.read,
      method: "get",
      path: `${path}/{search_id}`,
      summary: "What a search is narrowed by, and how much it finds",
      params,
      errors: [404],
    }),
    change: operation({
      ...common,
      id: ids.change,
      method: "put",
      path: `${path}/{search_id}`,
      summary: "Change a search: selected values are added, others taken away, the query replaced",
      activity,
      reads: true,
      params,
      body,
      errors: [404],
    }),
  };
}

/** The operation that lists the values of a facet. */
export function facetOperation(family: SearchFamily, id: string) {
  const facets = [...family.facets.keys(), ...family.emptyFacets ?? []];
  const facet_type = z.enum(facets, { error: `must be one of ${facets.join(", ")}` })
    .openapi({ param: { name: "facet_type", in: "path", required: true } });
  return operation({
    ...commonOf(family),
    id,
    method: "get",
    path: `${family.path}/{search_id}/facet/{facet_type}`,
    summary: "What a facet still offers, and how much is found by each value",
    params: z.object({ search_id: searchId, facet_type }),
    query: z.object({ ...pageQuery, query: typedQuery }),
    responses: { 200: { description: "One page", schema: z.array(CountableSearchFilter) } },
    errors: [404],
  });
}

/** The operation that lists the results of a search. */
export function resultsOperation(family: SearchFamily) {
  return operation({
    ...commonOf(family),
    id: family.operations.results,
    method: "get",
    path: `${family.path}/{search_id}/results`,
    summary: "What a search finds, the best matches first",
    params,
    query: z.object(pageQuery),
    responses: {
      200: {
        description: `One page; \`page_info.total\` counts ${
          searchBounds.counted.toLocaleString("en")
        } matches at most, but all from match ${searchBounds.ranked.toLocaleString("en")} on`,
        schema: family.results.schema,
      },
    },
    errors: [404],
  });
}

/** The operation that suggests matches for the typed text. */
export function suggestionsOperation(
  family: SearchFamily,
  id: string,
  { max, schema, narrowed }: SuggestionSpec,
) {
  return operation({
    ...commonOf(family),
    id,
    method: "get",
    path: `${family.path}/suggestions`,
    summary: `The best matches of what is typed so far, at most ${max}`,
    query: z.object({ query: typedQuery, ...narrowed?.by }),
    responses: { 200: { description: "The matches", schema } },
  });
}
