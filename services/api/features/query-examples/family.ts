import { QueryExampleList, QueryExampleRefList } from "#contract/catalogue/query-examples.ts";
import { itemsJson, listJson } from "#services/api/list-json.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { staleDays } from "#services/api/stale.ts";

const rows = (ids: string) =>
  `unnest(${ids}) WITH ORDINALITY AS f (id, n) JOIN query_example q ON q.id = f.id`;

/** The search over query examples: words only. */
export const queryExampleSearch: SearchFamily = {
  name: "query-examples",
  schemas: "QueryExample",
  tag: "queryExample",
  path: "/api/queryexample/search",
  operations: {
    start: "queryExamplesSearch",
    read: "getQueryExampleSearchFacetList",
    change: "updateQueryExampleSearchFacetList",
    results: "getQueryExampleSearchResults",
    suggestions: "getQueryExampleSearchSuggestions",
  },
  table: "query_example",
  document: {
    table: "query_example_document",
    key: "example_id",
    names: "ts_filter(d.vector, '{a}')",
  },
  shown: () => [],
  facets: new Map(),
  results: {
    schema: QueryExampleList,
    json: ({ ids, total, hasNext }, p, context) => {
      const each = `json_query_example(q, ${p.bind(staleDays(context))}::integer)`;
      return `json_build_object('items', ${itemsJson({ each, by: "f.n", from: rows(ids) })},
        'page_info', json_build_object('total', ${total}, 'hasNext', ${hasNext}))`;
    },
  },
  suggestions: {
    max: 5,
    schema: QueryExampleRefList,
    json: ({ ids }) =>
      listJson({
        each: "json_query_example_ref(q)",
        by: "f.n",
        from: rows(ids),
        total: `cardinality(${ids})`,
      }),
  },
};
