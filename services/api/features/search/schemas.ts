import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { Long, MetadataFieldValue, optional, TagList } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";
import { bounded } from "#kit/text.ts";
import { type Facet, facetNames } from "#services/api/features/search/facets.ts";
import { countedCharacters } from "#services/api/features/search/words.ts";

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

export const SearchFilterState = z.object({
  entity_id: Id,
  entity_name: z.string().transform((name) => bounded(name, longestName)).nullish(),
  selected: z.boolean(),
}).openapi("SearchFilterState");
const Choice = boundedArray(SearchFilterState, mostChosen).nullish();

export const SearchForm = z.object({
  query: Typed.nullish(),
  my_objects: z.boolean().nullish(),
  filters: z.object(
    {
      types: Choice,
      entity_classes: Choice,
      tags: Choice,
      namespaces: Choice,
      owners: Choice,
      datasources: Choice,
      groups: Choice,
      statuses: Choice,
    } satisfies Record<Facet, typeof Choice>,
  ),
}).openapi("SearchFormData");
export type SearchForm = z.output<typeof SearchForm>;

export const facetParam = z.enum(facetNames, {
  error: `must be one of ${facetNames.join(", ")}`,
}).openapi({ param: { name: "facet_type", in: "path", required: true } });

export const SearchFilter = z.object({ id: Id, name: z.string() }).openapi("SearchFilter");
export const CountableSearchFilter = z.object({
  id: Id,
  name: z.string(),
  count: optional(Long),
  selected: optional(z.boolean()),
}).openapi("CountableSearchFilter");

const Selected = optional(z.array(SearchFilter));
export const SearchFacetsData = z.object({
  search_id: z.uuid(),
  query: z.string(),
  facet_state: z.object({
    entity_classes: z.array(CountableSearchFilter),
    types: Selected,
    tags: Selected,
    namespaces: Selected,
    datasources: Selected,
    owners: Selected,
    groups: Selected,
    statuses: Selected,
  }).openapi("FacetState"),
  total: optional(Long),
  my_objects_total: optional(Long),
  my_objects: optional(z.boolean()),
}).openapi("SearchFacetsData");

const text = optional(z.string());
/** Texts in which something was found, as HTML: matches within `<b>`, the rest escaped. */
export const DataEntitySearchHighlight = z.object({
  data_entity: optional(
    z.object({
      external_name: text,
      external_description: text,
      internal_name: text,
      internal_description: text,
    }).openapi("DataEntityHighlight"),
  ),
  data_source: optional(z.object({ name: text, catrn: text }).openapi("DataSourceHighlight")),
  namespace: optional(z.object({ name: text }).openapi("NamespaceHighlight")),
  tags: optional(TagList),
  owners: optional(z.array(z.object({ owner: text, title: text }).openapi("OwnershipHighlight"))),
  metadata: optional(z.array(MetadataFieldValue)),
  dataset_structure: optional(z.array(
    z.object({
      name: text,
      internal_description: text,
      external_description: text,
      tags: optional(TagList),
    }).openapi("DataSetStructureHighlight"),
  )),
}).openapi("DataEntitySearchHighlight");
