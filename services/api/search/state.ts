import { badRequest } from "#kit/errors.ts";
import { own } from "#kit/own.ts";
import type { SearchFamily, SearchState, SelectedFacet } from "#services/api/search/family.ts";
import { maxChosen, type SearchForm } from "#services/api/search/forms.ts";

/** Largest session, UTF-16 units of its JSON. */
export const maxSession = 128 * 1024;

/** The state of a search without any condition. */
export const emptyState: SearchState = { query: "", my_objects: false, filters: new Map() };

/**
 * The state after a form: replaces the query and `my_objects`, adds the values selected in the form,
 * and removes the deselected ones. Throws 400 when the result exceeds the limits of a session.
 */
export function merge(family: SearchFamily, before: SearchState, form: SearchForm): SearchState {
  const filters = new Map<string, SelectedFacet[]>();
  for (const facet of family.facets.keys()) {
    const chosen = new Map(chosenIn(before, facet).map((value) => [value.id, value]));
    for (const { entity_id: id, entity_name, selected } of filtersOf(form, facet)) {
      if (selected) chosen.set(id, { id, name: entity_name ?? null });
      else chosen.delete(id);
    }
    filters.set(facet, [...chosen.values()]);
  }
  const state = { query: form.query ?? "", my_objects: form.my_objects ?? false, filters };
  refuseExcess(state, form);
  return state;
}

/** The selected values of a facet. */
export function chosenIn({ filters }: SearchState, facet: string): SelectedFacet[] {
  return filters.get(facet) ?? [];
}

/** The selected ids of a facet; a code too large for its column becomes one that no row has. */
export function idsOf(
  { facets }: Pick<SearchFamily, "facets">,
  state: SearchState,
  facet: string,
): number[] {
  const ids = chosenIn(state, facet).map((value) => value.id);
  return facets.get(facet)?.small ? ids.map((id) => Math.min(id, 32_767)) : ids;
}

/** The stored text of a state. */
export function stateText(state: SearchState): string {
  return JSON.stringify({ ...state, filters: Object.fromEntries(state.filters) });
}

/** Parses a stored state, which may stem from a release with other facets. */
export function stateOf(
  stored: Omit<SearchState, "filters"> & { filters: Record<string, SelectedFacet[]> },
): SearchState {
  return { ...stored, filters: new Map(Object.entries(stored.filters)) };
}

function filtersOf({ filters }: SearchForm, facet: string) {
  return own(filters ?? {}, facet) ?? [];
}

function refuseExcess(state: SearchState, form: SearchForm): void {
  const facets = [...state.filters.keys()];
  const total = facets.reduce((sum, facet) => sum + chosenIn(state, facet).length, 0);
  const excess = total > maxChosen
    ? `a search holds at most ${maxChosen} values over all its filters`
    : stateText(state).length > maxSession
    ? `a search holds at most ${maxSession} characters, the names of its values included`
    : null;
  if (excess === null) return;
  const adding = facets.findLast((facet) => filtersOf(form, facet).some((v) => v.selected));
  const field = adding ? `filters.${adding}` : "filters";
  throw badRequest(`${field}: ${excess}`, [{ field, message: excess }]);
}
