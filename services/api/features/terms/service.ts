import { TermList, TermRefList } from "#contract/catalogue/terms.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { FacetSpec, SearchFamily } from "#services/api/search/family.ts";
import { isSame } from "#services/api/search/typed-text.ts";
import { maxLinkedTerms } from "./linking.ts";
import { maxMentions } from "./mentions.ts";
import { maxDefinition, shownDefinition } from "./schemas.ts";

export { recordMentions, refuseMentioned } from "#services/api/features/terms/mentions.ts";
export { createTerm, deleteTerm, updateTerm } from "#services/api/features/terms/editing.ts";
export {
  describeTerm,
  findTerm,
  listColumns,
  listEntities,
  listLinkedTerms,
  listTerms,
} from "#services/api/features/terms/reading.ts";
export {
  addEntityTerm,
  linkTerms,
  lockTerms,
  removeEntityTerm,
  unlinkTerms,
} from "#services/api/features/terms/linking.ts";
export {
  createOwnership,
  deleteOwnership,
  tagTerm,
  updateOwnership,
} from "#services/api/features/terms/people.ts";
export { lockTerm } from "#services/api/features/terms/queries.ts";

const facets = new Map<string, FacetSpec>(Object.entries({
  tags: {
    holds: (ids: string) =>
      `e.id IN (SELECT x.term_id FROM term_tag x WHERE x.tag_id = ANY(${ids}::bigint[]))`,
    value: { table: "term_tag", of: "term_id", to: "tag_id" },
    names: "SELECT id, name FROM tag",
  },
  namespaces: {
    holds: (ids: string) => `e.namespace_id = ANY(${ids}::bigint[])`,
    value: "e.namespace_id",
    names: "SELECT id, name FROM namespace",
  },
  owners: {
    holds: (ids: string) =>
      `e.id IN (SELECT x.term_id FROM term_ownership x WHERE x.owner_id = ANY(${ids}::bigint[]))`,
    value: { table: "term_ownership", of: "term_id", to: "owner_id" },
    names: "SELECT id, name FROM owner",
  },
}));

/** The search over terms: by name, definition, namespace, tags and owners. */
export const termSearch: SearchFamily = {
  name: "terms",
  schemas: "Term",
  tag: "term",
  path: "/api/terms/search",
  operations: {
    start: "termSearch",
    read: "getTermSearchFacetList",
    change: "updateTermSearchFacets",
    facet: "getTermFiltersForFacet",
    results: "getTermSearchResults",
    suggestions: "getTermSearchSuggestions",
  },
  table: "term",
  document: {
    table: "term_document",
    key: "term_id",
    name: "search_name(e.name)",
    names: "ts_filter(d.vector, '{a}')",
    same: (typed) => isSame(typed, ["e.name"]),
    context: "(SELECT n.name FROM namespace n WHERE n.id = e.namespace_id)",
  },
  shown: () => [],
  facets,
  emptyFacets: ["types", "groups", "statuses"],
  results: {
    schema: TermList,
    json: ({ ids, total, hasNext }) => `json_term_list(${ids}, ${total}, ${hasNext})`,
  },
  suggestions: {
    max: 5,
    schema: TermRefList,
    json: ({ ids }) => `
      SELECT json_build_object(
               'items', coalesce(json_agg(json_term_ref(t, n) ORDER BY f.place), '[]'),
               'page_info', json_build_object('total', count(*), 'hasNext', false))
        FROM unnest(${ids}) WITH ORDINALITY AS f (id, place) JOIN term t ON t.id = f.id
        JOIN namespace n ON n.id = t.namespace_id`,
  },
};

const terms = "terms";

/** Limits of the glossary. */
export const termLimits: Limit[] = [
  limit(terms, "definition, UTF-16 units", maxDefinition),
  limit(terms, "definition of a referenced term, characters", shownDefinition, "it is cut"),
  limit(terms, "terms that one text mentions", maxMentions),
  limit(terms, "terms linked to one entity by users", maxLinkedTerms),
];
