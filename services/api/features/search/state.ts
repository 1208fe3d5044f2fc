import { badRequest } from "#kit/errors.ts";
import { mostChosen, type SearchForm } from "#services/api/features/search/schemas.ts";
import { type Facet, facetNames } from "#services/api/features/search/facets.ts";

/** A value chosen in a facet; `name` is what the client called it, for when it is gone. */
export interface Chosen {
  id: number;
  name: string | null;
}

/** What a search session keeps. */
export interface SearchState {
  query: string;
  my_objects: boolean;
  filters: Record<Facet, Chosen[]>;
}

export const emptyState: SearchState = {
  query: "",
  my_objects: false,
  filters: Object.fromEntries(facetNames.map((facet) => [facet, []])) as unknown as Record<
    Facet,
    Chosen[]
  >,
};

/** Largest session, UTF-16 units of its JSON. */
export const maxSession = 128 * 1024;

/**
 * The state after a form: its query and `my_objects` hold as they are, its selected values are added
 * to those chosen before, and the others taken away. Throws 400 when that is more than a session holds.
 */
export function merge(before: SearchState, form: SearchForm): SearchState {
  const filters = facetNames.map((facet) => {
    const chosen = new Map(before.filters[facet].map((value) => [value.id, value]));
    for (const { entity_id: id, entity_name, selected } of form.filters[facet] ?? []) {
      if (selected) chosen.set(id, { id, name: entity_name ?? null });
      else chosen.delete(id);
    }
    return [facet, [...chosen.values()]];
  });
  const state = {
    query: form.query ?? "",
    my_objects: form.my_objects ?? false,
    filters: Object.fromEntries(filters),
  };
  refuseExcess(state, form);
  return state;
}

function refuseExcess(state: SearchState, form: SearchForm): void {
  const total = facetNames.reduce((sum, facet) => sum + state.filters[facet].length, 0);
  const excess = total > mostChosen
    ? `a search holds at most ${mostChosen} values over all its filters`
    : JSON.stringify(state).length > maxSession
    ? `a search holds at most ${maxSession} characters, the names of its values included`
    : null;
  if (excess === null) return;
  const adding = facetNames.findLast((facet) => form.filters[facet]?.some((v) => v.selected));
  const field = adding ? `filters.${adding}` : "filters";
  throw badRequest(`${field}: ${excess}`, [{ field, message: excess }]);
}

/** The ids chosen in a facet. */
export function idsOf(state: SearchState, facet: Facet): number[] {
  return state.filters[facet].map((value) => value.id);
}
