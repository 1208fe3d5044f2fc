import type { Schema } from "#web/api/client.ts";
import { idsOf, type Params } from "#web/kit/search-params.ts";
import { searchFacets } from "#web/api/values.gen.ts";

/** A filter of a search, by the name of the API; also the name of the parameter in the address. */
export type Facet = keyof Schema<"SearchFormData">["filters"];

/** What is searched, as the address says it: `?q=orders&tags=3,4&mine=1`. */
export function formOf(params: Params, query: string): Schema<"SearchFormData"> {
  const filters = searchFacets.flatMap((facet) => {
    const ids = idsOf(params[facet]);
    return ids.length > 0
      ? [[facet, ids.map((id) => ({ entity_id: id, selected: true }))] as const]
      : [];
  });
  return { query, my_objects: params.mine === "1", filters: Object.fromEntries(filters) };
}

/** The ids of a filter with one of them added or taken away, as the address has them. */
export function toggled(text: string | undefined, id: number): string {
  const ids = idsOf(text);
  return (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]).join(",");
}

/** Parameters that empty all filters. */
export function noFilters(): Params {
  return {
    ...Object.fromEntries(searchFacets.map((facet) => [facet, undefined])),
    mine: undefined,
  };
}

export function filtersSet(params: Params): number {
  return searchFacets.reduce(
    (sum, facet) => sum + idsOf(params[facet]).length,
    params.mine === "1" ? 1 : 0,
  );
}
