import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { entitySearch } from "#services/api/features/search/service.ts";
import { descriptionOf, nameOf, typeOf } from "#services/api/mcp/sql.ts";
import type { SearchFamily } from "#services/api/search/family.ts";

/** What is named by a filter. */
export interface FilterRow {
  kind: "data_source" | "tag" | "owner";
  id: number;
  /** Of a tag, as the filter spells it. */
  name: string;
  /** Of a data source. */
  catrn: string | null;
}

const filters = statement<FilterRow>("mcp-search-filters")`
  SELECT 'data_source' AS kind, id, name, catrn FROM data_source WHERE $1 IN (name, catrn)
   UNION ALL
  SELECT 'tag', t.id, w.name, NULL FROM unnest($2::text[]) AS w (name) JOIN tag t ON t.folded = name_key(w.name)
   UNION ALL
  SELECT 'owner', id, name, NULL FROM owner WHERE folded = (SELECT name_key($3::text))`;

/** What these names stand for. */
export function namedFilters(
  db: Queryable,
  given: { data_source?: string; tags?: string[]; owner?: string },
): Promise<FilterRow[]> {
  return db.query(filters, [given.data_source ?? null, given.tags ?? [], given.owner ?? null]);
}

/** The search over entities, its results short. */
export const shortSearch: SearchFamily = {
  ...entitySearch,
  results: {
    schema: entitySearch.results.schema,
    json: ({ ids, total, isMinimum }) =>
      `json_build_object('total', ${total}, 'total_is_minimum', ${isMinimum}, 'items', (
        SELECT coalesce(json_agg(json_build_object('id', e.id, 'catrn', e.catrn, 'name', ${
        nameOf("e")
      }, 'type', ${typeOf("e")}, 'data_source', s.name, 'description', ${
        descriptionOf("e")
      }) ORDER BY page.place), '[]')
          FROM unnest(${ids}) WITH ORDINALITY AS page (id, place)
          JOIN data_entity e ON e.id = page.id LEFT JOIN data_source s ON s.id = e.data_source_id))`,
  },
};
