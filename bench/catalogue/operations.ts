import type { SeededIds } from "./seed.ts";

/** One request. */
export interface BenchRequest {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
}

/** An operation that pages of the catalogue ask for, with requests about different things. */
export interface BenchOperation {
  name: string;
  requests: BenchRequest[];
  /** It counts everything there is, so that it takes longer where there is more. */
  counts?: true;
  /** A search, held to a time of its own. */
  search?: true;
}

/** A search session that was started beforehand. */
export interface Sessions {
  catalogue: string;
}

const period = "begin_date=2020-01-01T00:00:00Z&end_date=2100-01-01T00:00:00Z";
const words = [
  "orders",
  "customers",
  "payments",
  "shipments",
  "refunds",
  "visits",
  "prices",
  "stock",
];
const get = (path: string): BenchRequest => ({ method: "GET", path });
const of = (ids: number[], path: (id: number) => string) => ids.map((id) => get(path(id)));
const search = (query: string): BenchRequest => ({
  method: "POST",
  path: "/api/search",
  body: { query, filters: {} },
});

/** What pages of the catalogue ask for. */
export function benchOperations(
  { entities, groups, terms }: SeededIds,
  at: Sessions,
): BenchOperation[] {
  const entity = (rest: string) => of(entities, (id) => `/api/dataentities/${id}${rest}`);
  const session = `/api/search/${at.catalogue}`;
  return [
    { name: "details", requests: entity("") },
    { name: "structure", requests: of(entities, (id) => `/api/datasets/${id}/structure`) },
    { name: "alerts of an entity", requests: entity("/alerts/list?page=1&size=30") },
    { name: "activity of an entity", requests: entity(`/activity?${period}&size=30`) },
    { name: "query examples", requests: of(entities, (id) => `/api/queryexample/dataset/${id}`) },
    { name: "attachments", requests: entity("/attachments") },
    { name: "tests", requests: of(entities, (id) => `/api/datasets/${id}/dataqatests`) },
    { name: "search, start", requests: words.map(search), counts: true, search: true },
    {
      name: "search, results",
      requests: [get(`${session}/results?page=1&size=30`)],
      counts: true,
      search: true,
    },
    {
      name: "search, facet of tags",
      requests: [get(`${session}/facet/tags?page=1&size=30`)],
      counts: true,
      search: true,
    },
    {
      name: "suggestions",
      requests: words.map((word) => get(`/api/search/suggestions?query=${word}_1`)),
      counts: true,
    },
    { name: "list of entities", requests: [get("/api/dataentities?page=1&size=30")], counts: true },
    { name: "popular", requests: [get("/api/dataentities/popular?page=1&size=5")] },
    {
      name: "items of a group",
      requests: of(groups, (id) => `/api/dataentitygroups/${id}/items?page=1&size=30`),
    },
    { name: "term", requests: of(terms, (id) => `/api/terms/${id}`), counts: true },
    {
      name: "entities of a term",
      requests: of(terms, (id) => `/api/terms/${id}/linked_entities?page=1&size=30`),
      counts: true,
    },
    { name: "terms", requests: [get("/api/terms?page=1&size=30")] },
    { name: "alerts", requests: [get("/api/alerts/list?page=1&size=30")] },
    { name: "activity", requests: [get(`/api/activity?${period}&size=30`)] },
    { name: "owners", requests: [get("/api/owners?page=1&size=30")] },
  ];
}
