import type { Actor } from "#contract/actor.ts";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { entityStatuses } from "#contract/entities.ts";
import { booleanQuery, integerQuery } from "#contract/http.ts";
import { facets as entityFacets } from "#services/api/features/search/facets.ts";
import type {
  FacetSpec,
  Parameters,
  SearchFamily,
  SuggestionSpec,
} from "#services/api/search/family.ts";
import { isSame } from "#services/api/search/typed-text.ts";
import { idsOf } from "#services/api/search/state.ts";
import { staleDays } from "#services/api/stale.ts";

/** Classes that no entity has, since runs are stored separately. */
const runClasses = [3, 5];

const facets = new Map<string, FacetSpec>(Object.entries(entityFacets));

const suggestions: SuggestionSpec = {
  max: 10,
  schema: DataEntityRefList,
  json: ({ ids }, p, context) => `
    SELECT coalesce(json_agg(json_entity_ref(e, ${p.bind(staleDays(context))}) ORDER BY f.n), '[]')
      FROM unnest(${ids}) WITH ORDINALITY AS f (id, n) JOIN data_entity e ON e.id = f.id`,
  narrowed: {
    by: {
      entity_class_id: integerQuery("entity_class_id", { min: 1, max: 32_767 }),
      manually_created: booleanQuery(
        "manually_created",
        "Only those made by hand; false: only the others",
      ),
    },
    holds: ({ entity_class_id, manually_created }, p) => [
      ...(entity_class_id === undefined
        ? []
        : [`${p.bind(entity_class_id)}::smallint = ANY(e.class_ids)`]),
      ...(manually_created === undefined
        ? []
        : [`e.manually_created = ${p.bind(manually_created)}::boolean`]),
    ],
  },
};

/** The generic search over data entities. */
export const entitySearch: SearchFamily = {
  name: "catalogue",
  schemas: "",
  tag: "search",
  path: "/api/search",
  operations: {
    start: "search",
    read: "getSearchFacetList",
    change: "updateSearchFacets",
    facet: "getFiltersForFacet",
    results: "getSearchResults",
    suggestions: "getSearchSuggestions",
  },
  table: "data_entity",
  document: {
    table: "search_document",
    key: "entity_id",
    complete: true,
    name: "e.name",
    nameIndex: true,
    names: "e.names",
    // No EXISTS: PostgreSQL might read all entities for it.
    same: (typed) =>
      `(SELECT ${
        isSame(typed, ["n.internal_name", "n.external_name"])
      } FROM data_entity n WHERE n.id = e.id)`,
    context: "search_context(e.id)",
    wide: (typed) => `search_in_parts(${typed})`,
  },
  usage: (id) => `(SELECT u.reads FROM entity_usage u WHERE u.entity_id = ${id})`,
  // A pasted CATRN finds its entity, although search documents do not contain CATRNs.
  exact: { column: "catrn", looksLike: (typed) => typed.trim().startsWith("//") },
  listed: ["NOT e.hollow", "NOT e.excluded_from_search"],
  // Deleted entities are hidden unless that status is selected, or statuses themselves are counted.
  shown: (state, except) => {
    const deleted = idsOf({ facets }, state, "statuses").includes(entityStatuses.DELETED);
    const hidden = !deleted && !except.includes("statuses");
    return hidden ? [`e.status <> ${entityStatuses.DELETED}`] : [];
  },
  owned,
  facets,
  counted: { facet: "entity_classes", ids: "e.class_ids", unlessChosen: runClasses },
  results: {
    schema: DataEntityList,
    json: ({ ids, total, hasNext }, p, context) =>
      `text_data_entity_list(${ids}, ${total}, ${hasNext}, ${p.bind(staleDays(context))})`,
  },
  suggestions,
};

/** Never true for an anonymous actor. */
function owned(actor: Actor, parameters: Parameters): string {
  if (actor.name === null) return "false";
  const username = parameters.bind(actor.name);
  return `e.id IN (
    SELECT o.entity_id FROM ownership o JOIN user_owner u ON u.owner_id = o.owner_id
     WHERE u.username = ${username} AND u.provider = ${parameters.bind(actor.provider)})`;
}
