import type { Schema } from "#web/api/client.ts";
import { idsOf, type Params } from "#web/kit/search-params.ts";
import type { PlainKey } from "#web/messages/text.ts";

/** The filters of a search, by the name of the API; also the names of the parameters in the address. */
const facetTexts: Record<Facet, PlainKey> = {
  entity_classes: "kit.category",
  types: "kit.type",
  statuses: "kit.status",
  datasources: "search.source",
  namespaces: "kit.namespace",
  owners: "kit.owner",
  tags: "search.tag",
  groups: "search.group",
  gaps: "search.missing",
};

export type Facet = keyof Schema<"SearchFormData">["filters"];

/** All facets with their texts, as the screen shows them. */
export const facets = Object.entries(facetTexts) as [Facet, PlainKey][];

/** What is searched, as the address says it: `?q=orders&tags=3,4&mine=1`. */
export function formOf(params: Params, query: string): Schema<"SearchFormData"> {
  const filters = facets.flatMap(([facet]) => {
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
  return { ...Object.fromEntries(facets.map(([facet]) => [facet, undefined])), mine: undefined };
}

export function filtersSet(params: Params): number {
  return facets.reduce(
    (sum, [facet]) => sum + idsOf(params[facet]).length,
    params.mine === "1" ? 1 : 0,
  );
}
