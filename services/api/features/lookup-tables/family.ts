import { LookupTableList } from "#contract/catalogue/lookup-tables.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { isSame } from "#services/api/search/name-match.ts";

/** The search of lookup tables: by name, description and columns. */
export const lookupSearch: SearchFamily = {
  name: "lookup-tables",
  schemas: "ReferenceData",
  tag: "referenceData",
  path: "/api/referencedata/search",
  operations: {
    start: "referenceDataSearch",
    read: "getReferenceDataSearchFacetList",
    change: "updateReferenceDataSearchFacetList",
    results: "getReferenceDataSearchResults",
  },
  table: "lookup_table",
  document: {
    table: "lookup_document",
    key: "table_id",
    name: "search_name(e.name)",
    names: "ts_filter(d.vector, '{a}')",
    same: (typed) => isSame(typed, ["e.name"]),
    context: "(SELECT n.name FROM namespace n WHERE n.id = e.namespace_id)",
  },
  shown: () => [
    "EXISTS (SELECT FROM data_entity x WHERE x.id = e.entity_id AND is_live(x.status))",
  ],
  facets: new Map(),
  results: {
    schema: LookupTableList,
    json: ({ ids, total, hasNext }) => `
      SELECT json_build_object(
        'items', (SELECT coalesce(json_agg(json_lookup_table(t) ORDER BY f.n), '[]')
                    FROM unnest(${ids}) WITH ORDINALITY AS f (id, n)
                    JOIN lookup_table t ON t.id = f.id),
        'page_info', json_build_object('total', ${total}, 'hasNext', ${hasNext}))`,
  },
};
