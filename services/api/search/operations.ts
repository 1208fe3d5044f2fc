import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { Long, optional } from "#contract/catalogue/common.ts";
import { Id, pageQuery } from "#contract/http.ts";
import { bounded } from "#kit/text.ts";
import { operation } from "#platform/operations/declare.ts";
import {
  searchBounds,
  type SearchFamily,
  type SuggestionSpec,
} from "#services/api/search/family.ts";
import { countedCharacters } from "#services/api/search/words.ts";

/** Longest accepted query; less of it is evaluated. */
export const longestQuery = 100_000;
/** Maximum number of values of a facet in one form, and most selected values of a session over all facets. */
export const maxChosen = 1_000;
/** Characters that are stored of a client's name for a value. */
const longestName = 200;

/** Any text is accepted: what PostgreSQL cannot store is replaced. */
const storableText = (text: string) =>
  text.slice(0, countedCharacters).replaceAll("\0", " ").toWellFormed();

const Typed = z.string()
  .max(longestQuery, { error: `must be at most ${longestQuery} characters long` })
  .transform(storableText)
  .openapi({
    description: "Words or prefixes; all must be found; the first 64 within the first 2,000 " +
      "characters count",
  });

/** The typed text, as a query parameter. */
const typedQuery = Typed.optional().transform((text) => text ?? "").openapi({
  param: { name: "query", in: "query", required: false },
  type: "string",
});

const SearchFilterState = z.object({
  entity_id: Id,
  entity_name: z.string().transform((name) => bounded(name, longestName)).nullish(),
  selected: z.boolean(),
}).openapi("SearchFilterState");
const Choice = boundedArray(SearchFilterState, maxChosen).nullish();

const SearchFilter = z.object({ id: Id, name: z.string() }).openapi("SearchFilter");
const CountableSearchFilter = z.object({
  id: Id,
  name: z.string(),
  count: optional(Long),
  count_is_minimum: z.boolean().optional().openapi({
    description: "Present and true when more match than are counted: there are at least so many",
  }),
  selected: optional(z.boolean()),
}).openapi("CountableSearchFilter");

/** The form that starts or changes a search. */
export interface SearchForm {
  query?: string | null | undefined;
  my_objects?: boolean | null | undefined;
  filters?: Record<string, z.output<typeof Choice>> | undefined;
}

/** The form of a family: with filters if it has facets, with `my_objects` if it supports that. */
export function formOf(family: SearchFamily): z.ZodType<SearchForm> {
  const facets = [...family.facets.keys()];
  const shape = {
    query: Typed.nullish(),
    ...(family.owned && { my_objects: z.boolean().nullish() }),
    ...(facets.length > 0 && { filters: z.object(shapeOf(facets, () => Choice)) }),
  };
  const form = z.object(shape).openapi(`${family.schemas}SearchFormData`);
  return form as z.ZodType<SearchForm>;
}

/** The schema of a search's description of itself. */
export function facetsDataOf(family: SearchFamily): z.ZodType {
  const facets = [...family.facets.keys()];
  const chosen = (facet: string) =>
    facet === family.counted?.facet
      ? z.array(CountableSearchFilter)
      : optional(z.array(SearchFilter));
  const state = () => z.object(shapeOf(facets, chosen)).openapi(`${family.schemas}FacetState`);
  return z.object({
    search_id: z.uuid(),
    query: z.string(),
    ...(facets.length > 0 && { facet_state: state() }),
    total: optional(Long),
    total_is_minimum: z.boolean().openapi({
      description: "More match than are counted: there are more than `total`",
    }),
    ...(family.owned && {
      my_objects_total: optional(Long),
      my_objects: optional(z.boolean()),
    }),
  }).openapi(`${family.schemas}SearchFacetsData`);
}

function shapeOf(facets: string[], schemaOf: (facet: string) => z.ZodType) {
  return Object.fromEntries(facets.map((facet) => [facet, schemaOf(facet)]));
}

/** The path parameter that identifies a search. */
export const searchId = z.uuid({ error: "must be a UUID" }).openapi({
  param: { name: "search_id", in: "path", required: true },
  type: "string",
  format: "uuid",
});
const params = z.object({ search_id: searchId });

const commonOf = ({ tag }: SearchFamily) => ({ tag, access: "signed-in" }) as const;

/** Operations to start, read and change a search. */
export function sessionOperations(family: SearchFamily) {
  const { path, operations: ids } = family;
  const body = formOf(family);
  const common = {
    ...commonOf(family),
    activity: { none: "a search changes nothing in the catalogue" },
    responses: { 200: { description: "The search", schema: facetsDataOf(family) } },
  };
  return {
    start: operation({
      ...common,
      id: ids.start,
      method: "post",
      path,
      summary: "Start a search; its id reads facets and results",
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
    }),
    change: operation({
      ...common,
      id: ids.change,
      method: "put",
      path: `${path}/{search_id}`,
      summary: "Change a search: selected values are added, others taken away, the query replaced",
      reads: true,
      params,
      body,
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
