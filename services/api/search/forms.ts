import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { Long, optional } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";
import { bounded } from "#kit/text.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { countedCharacters } from "#services/api/search/words.ts";

/** Longest query that is taken; what counts of it is less. */
export const longestQuery = 100_000;
/** Values of a facet in one form, and chosen in a session over all its facets. */
export const mostChosen = 1_000;
/** Kept of the name that a client gives to a value. */
const longestName = 200;

/** Any text will do: what PostgreSQL cannot hold is read as a blank. */
const anyText = (text: string) =>
  text.slice(0, countedCharacters).replaceAll("\0", " ").toWellFormed();

const Typed = z.string()
  .max(longestQuery, { error: `must be at most ${longestQuery} characters long` })
  .transform(anyText)
  .openapi({
    description:
      "Words or their beginnings, all of which must be found; the first 64 within the first 2,000 " +
      "characters count",
  });

/** What is typed, as a query parameter. */
export const typedQuery = Typed.optional().transform((text) => text ?? "").openapi({
  param: { name: "query", in: "query", required: false },
  type: "string",
});

const SearchFilterState = z.object({
  entity_id: Id,
  entity_name: z.string().transform((name) => bounded(name, longestName)).nullish(),
  selected: z.boolean(),
}).openapi("SearchFilterState");
const Choice = boundedArray(SearchFilterState, mostChosen).nullish();

const SearchFilter = z.object({ id: Id, name: z.string() }).openapi("SearchFilter");
export const CountableSearchFilter = z.object({
  id: Id,
  name: z.string(),
  count: optional(Long),
  selected: optional(z.boolean()),
}).openapi("CountableSearchFilter");

/** What a search is started or changed with. */
export interface SearchForm {
  query?: string | null | undefined;
  my_objects?: boolean | null | undefined;
  filters?: Record<string, z.output<typeof Choice>> | undefined;
}

/** The form of a family: without filters where it has no facets, `my_objects` where it can be asked for. */
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

/** What a search answers of itself. */
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
    ...(family.owned && {
      my_objects_total: optional(Long),
      my_objects: optional(z.boolean()),
    }),
  }).openapi(`${family.schemas}SearchFacetsData`);
}

function shapeOf(facets: string[], schemaOf: (facet: string) => z.ZodType) {
  return Object.fromEntries(facets.map((facet) => [facet, schemaOf(facet)]));
}
