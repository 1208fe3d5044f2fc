import type { Database } from "#metadata/postgres/database.ts";
import type { Rows } from "#test/support/statements/rows.ts";
import { seedTerm } from "#test/support/seed/seed-terms.ts";

/** What a term of a world is linked with. */
interface TermLinks {
  name: string;
  fields: number[];
  members: number[];
  tags: number[];
}

/** A term with as many links of every kind as its world has members, in a namespace with as many terms; its id. */
export async function seedTermAmong(db: Database, world: TermLinks): Promise<number> {
  const { name, fields, members, tags } = world;
  const term = await seedTerm(db, name, `${name} term`);
  const each = "unnest($2::bigint[]) x";
  const all: [string, ...unknown[]][] = [
    [`INSERT INTO entity_term SELECT x, $1 FROM ${each}`, members],
    [`INSERT INTO field_term SELECT x, $1 FROM ${each} ON CONFLICT DO NOTHING`, fields],
    [`INSERT INTO term_tag SELECT $1, x FROM ${each}`, tags],
    [
      "INSERT INTO term_ownership (term_id, owner_id) SELECT $1, id FROM owner LIMIT $2",
      members.length,
    ],
    [
      `WITH t AS (INSERT INTO term (namespace_id, name, definition)
         SELECT namespace_id, name || x, 'one of them' FROM term, ${each} WHERE id = $1 RETURNING id)
       INSERT INTO term_link SELECT $1, id FROM t`,
      members,
    ],
  ];
  for (const [sql, value] of all) await db.query(sql, [term, value]);
  await db.query("SELECT refresh_term_documents(ARRAY(SELECT id FROM term))");
  return term;
}

const form = (name: string, namespace_name: string, definition: string) => ({
  name,
  namespace_name,
  definition,
});
const several = (n: number, item: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => item(at));

/** The glossary. */
export const termRows: Rows = {
  getTermsList: (w) => `/api/terms?${w.page}&query=world`,
  getTermDetails: (w) => `/api/terms/${w.term}`,
  getTermByNamespaceAndName: (w) =>
    `/api/terms/namespaces/${encodeURIComponent(w.name)}/names/${
      encodeURIComponent(w.name)
    }%20term`,
  getTermLinkedEntities: (w) => `/api/terms/${w.term}/linked_entities?${w.page}`,
  getTermLinkedColumns: (w) => `/api/terms/${w.term}/linked_columns?${w.page}`,
  getTermLinkedTerms: (w) => `/api/terms/${w.term}/linked_terms?${w.page}`,
  termSearch: () => ["POST", "/api/terms/search", { query: "world", filters: {} }],
  getTermSearchFacetList: (w) => `/api/terms/search/${w.termSearch}`,
  getTermFiltersForFacet: (w) => `/api/terms/search/${w.termSearch}/facet/tags?${w.page}`,
  getTermSearchResults: (w) => `/api/terms/search/${w.termSearch}/results?${w.page}`,
  getTermSearchSuggestions: () => "/api/terms/search/suggestions?query=world",
  createTerm: (w) => [
    "POST",
    "/api/terms",
    form(
      `new ${w.name} ${w.round}`,
      w.name,
      several(w.n, (at) => `[[${w.name}:${w.name} term${w.members[at]}]]`).join(" "),
    ),
  ],
  updateTerm: (w) => [
    "PUT",
    `/api/terms/${w.term}`,
    form(
      `${w.name} term`,
      w.name,
      several(w.n, (at) => `[[${w.round}:${at}]]`).join(" "),
    ),
  ],
  createTermTagsRelations: (w) => [
    "PUT",
    `/api/terms/${w.term}/tags`,
    { tag_name_list: several(w.n, (at) => `${w.name} ${w.round} ${at}`) },
  ],
};
