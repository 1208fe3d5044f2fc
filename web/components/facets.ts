import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";

/** What lists can be narrowed by, besides their own. */
export type FacetKind = "owner" | "namespace" | "source" | "tag" | "title";

export interface FacetValue {
  id: number;
  name: string;
}

interface FacetQuery {
  page: number;
  size: number;
  query?: string;
}

const lists = {
  owner: (query: FacetQuery) => read("/api/owners", { params: { query } }),
  namespace: (query: FacetQuery) => read("/api/namespaces", { params: { query } }),
  source: (query: FacetQuery) => read("/api/datasources", { params: { query } }),
  tag: (query: FacetQuery) => read("/api/tags", { params: { query } }),
  title: (query: FacetQuery) => read("/api/titles", { params: { query } }),
};

/** Values that are read to name those that an address has by id. */
const named = 1_000;

/** Values of a facet whose name goes with `text`. */
export function useFacetValues(kind: FacetKind, text: string, enabled = true): FacetValue[] {
  const query = lists[kind]({ page: 1, size: 30, query: text || undefined });
  const { data } = useQuery({ ...query as ReturnType<typeof lists.namespace>, enabled });
  return data?.items ?? [];
}

/** The name of a value, its number until that is known. */
export function useFacetNames(kind: FacetKind, ids: number[]): (id: number) => string {
  const query = lists[kind]({ page: 1, size: named });
  const { data } = useQuery({
    ...query as ReturnType<typeof lists.namespace>,
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
  });
  const names = new Map(data?.items.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `#${id}`;
}
