import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { Long, optional } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";
import { bounded } from "#kit/text.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { countedCharacters } from "#services/api/search/words.ts";

/** Longest accepted query; less of it is evaluated. */
export const longestQuery = 100_000;
/** Maximum number of values of a facet in one form, and most selected values of a session over all facets. */
export const maxChosen = 1_000;
/** Characters that are stored of a client's name for a value. */
const longestName = 200;

/** Any text is accepted: what PostgreSQL cannot store is replaced. */
const anyText = (text: string) =>
  text.slice(0, countedCharacters).replaceAll("\0", " ").toWellFormed();

const Typed = z.string()
  .max(longestQuery, { error: `must be at most ${longestQuery} characters long` })
  .transform(anyText)
  .openapi({
    description: "Words or prefixes; all must be found; the first 64 within the first 2,000 " +
      "characters count",
  });

/** The typed text, as a query parameter. */
export const typedQuery = Typed.optional().transform((text) => text ?? "").openapi({
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
export const CountableSearchFilter = z.object({
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
