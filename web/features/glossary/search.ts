import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Schema } from "#web/api/client.ts";
import { read, send } from "#web/api/client.ts";
import { readPages, rowsOf, totalOf } from "#web/api/pages.ts";
import { idsOf, type Params } from "#web/kit/search-params.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";

/** What terms can be narrowed by: names of the service, and of the address. */
export const facets = ["namespaces", "owners", "tags"] as const;
export type Facet = typeof facets[number];

/** A search over terms as the address holds it. */
interface TermSearch {
  query: string;
  filters: Record<Facet, number[]>;
}

function searchOf(params: Params): TermSearch {
  return {
    query: params.q?.trim() ?? "",
    filters: {
      namespaces: idsOf(params.namespaces),
      owners: idsOf(params.owners),
      tags: idsOf(params.tags),
    },
  };
}

/** Every search is one of its own and never changed, so that pages of two searches cannot be mixed. */
function start(search: TermSearch) {
  return queryOptions({
    queryKey: ["/api/terms/search", search] as const,
    queryFn: () => send("post", "/api/terms/search", { body: formOf(search) }),
    placeholderData: keepPreviousData,
  });
}

function formOf({ query, filters }: TermSearch): Schema<"TermSearchFormData"> {
  const chosen = (ids: number[]) =>
    ids.map((id) => ({ entity_id: id, entity_name: "", selected: true }));
  return {
    query,
    filters: {
      namespaces: chosen(filters.namespaces),
      owners: chosen(filters.owners),
      tags: chosen(filters.tags),
    },
  };
}

/** The terms that the address asks for; those of before stay while others are looked for. */
export function useTermSearch(params: Params) {
  const searchText = useDebounced(JSON.stringify(searchOf(params)), 150);
  const search = useQuery(start(JSON.parse(searchText) as TermSearch));
  const id = search.data?.search_id;
  const results = useInfiniteQuery({
    ...readPages("/api/terms/search/{search_id}/results", {
      params: { path: { search_id: id ?? "" } },
    }),
    enabled: id !== undefined,
  });
  return {
    id,
    state: search.data?.facet_state,
    rows: rowsOf<Schema<"Term">>(results.data),
    total: totalOf(results.data),
    listed: {
      ...results,
      error: search.error ?? results.error,
      refetch: () => void (search.error ? search.refetch() : results.refetch()),
    },
  };
}

/** What a search can still be narrowed by in a facet, with how many terms each leaves. */
export function useFacetValues(search: string | undefined, facet: Facet, text: string) {
  const query = useDebounced(text.trim());
  return useQuery({
    ...read("/api/terms/search/{search_id}/facet/{facet_type}", {
      params: {
        path: { search_id: search ?? "", facet_type: facet },
        query: { page: 1, size: 30, query },
      },
    }),
    enabled: search !== undefined,
  });
}
