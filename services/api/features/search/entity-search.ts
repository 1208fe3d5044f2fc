import type { Actor } from "#contract/actor.ts";
import { DataEntityRefList } from "#contract/catalogue/entity-ref.ts";
import { DataEntityList } from "#contract/catalogue/entity.ts";
import { entityClasses, entityStatuses } from "#contract/entities.ts";
import { booleanQuery, integerQuery } from "#contract/http.ts";
import type {
  FacetSpec,
  Parameters,
  SearchFamily,
  SuggestionSpec,
} from "#services/api/search/family.ts";
import { idsOf } from "#services/api/search/sessions.ts";
import { isSame } from "#services/api/search/typed-text.ts";
import { staleDays } from "#services/api/stale.ts";

/** What an entity may lack: the SQL of whether `e` lacks it. Only datasets can lack tests. */
const gaps = [
  {
    code: 1,
    name: "NO_OWNER",
    holds: "NOT EXISTS (SELECT FROM ownership x WHERE x.entity_id = e.id)",
  },
  {
    code: 2,
    name: "NO_DESCRIPTION",
    holds: `EXISTS (SELECT FROM data_entity x WHERE x.id = e.id
              AND coalesce(nullif(x.internal_description, ''), nullif(x.external_description, '')) IS NULL)`,
  },
  {
    code: 3,
    name: "NO_TESTS",
    holds: `${entityClasses.DATA_SET} = ANY(e.class_ids)
            AND NOT EXISTS (SELECT FROM test_dataset x JOIN data_entity t ON t.id = x.test_id
                             WHERE x.dataset_id = e.id AND NOT t.hollow AND is_live(t.status))`,
  },
] as const;

type Gap = (typeof gaps)[number]["name"];

/** SQL of whether the entity `e` lacks it. */
export function gapCondition(gap: Gap): string {
  return gaps.find(({ name }) => name === gap)!.holds;
}

/** The facets of entity search in the order of the screen, and the SQL of each; `contract/names` has their texts. */
export const entityFacets = {
  entity_classes: {
    holds: (ids) => `e.class_ids && ${ids}::smallint[]`,
    join: "CROSS JOIN LATERAL unnest(e.class_ids) AS x (class_id)",
    value: "x.class_id",
    names: "SELECT id::bigint, name FROM entity_class",
    small: true,
  },
  types: {
    holds: (ids) => `e.type_id = ANY(${ids}::smallint[])`,
    value: "e.type_id",
    names: "SELECT id::bigint, name FROM entity_type",
    small: true,
  },
  statuses: {
    holds: (ids) => `e.status = ANY(${ids}::smallint[])`,
    value: "e.status",
    names: "SELECT n::bigint AS id, status_name(n::smallint) AS name FROM generate_series(1, 5) n",
    small: true,
  },
  datasources: {
    holds: (ids) => `e.data_source_id = ANY(${ids}::bigint[])`,
    value: "e.data_source_id",
    names: "SELECT id, name FROM data_source",
  },
  namespaces: {
    holds: (ids) => `
      e.namespace_id = ANY(${ids}::bigint[]) OR e.namespace_id IS NULL AND e.data_source_id IN (
        SELECT s.id FROM data_source s WHERE s.namespace_id = ANY(${ids}::bigint[]))`,
    join: "LEFT JOIN data_source x ON x.id = e.data_source_id",
    value: "coalesce(e.namespace_id, x.namespace_id)",
    names: "SELECT id, name FROM namespace",
  },
  owners: {
    holds: (ids) =>
      `e.id IN (SELECT x.entity_id FROM ownership x WHERE x.owner_id = ANY(${ids}::bigint[]))`,
    value: { table: "ownership", of: "entity_id", to: "owner_id" },
    names: "SELECT id, name FROM owner",
  },
  tags: {
    holds: (ids) =>
      `e.id IN (SELECT x.entity_id FROM entity_tag x WHERE x.tag_id = ANY(${ids}::bigint[]))`,
    value: { table: "entity_tag", of: "entity_id", to: "tag_id" },
    names: "SELECT id, name FROM tag",
  },
  groups: {
    holds: (ids) =>
      `e.id IN (SELECT x.member_id FROM group_member x WHERE x.group_id = ANY(${ids}::bigint[]))`,
    value: { table: "group_member", of: "member_id", to: "group_id" },
    names: `SELECT id, coalesce(internal_name, external_name) AS name FROM data_entity
             WHERE NOT hollow AND status <> ${entityStatuses.DELETED}`,
  },
  gaps: {
    holds: (ids) =>
      gaps.map(({ code, holds }) => `${code} = ANY(${ids}::smallint[]) AND ${holds}`).join(" OR "),
    join: `CROSS JOIN LATERAL (${
      gaps.map(({ code, holds }) => `SELECT ${code} AS gap WHERE ${holds}`).join(" UNION ALL ")
    }) x`,
    value: "x.gap",
    names: `SELECT n.id::bigint AS id, n.name FROM (VALUES ${
      gaps.map(({ code, name }) => `(${code}, '${name}')`).join(", ")
    }) n (id, name)`,
    small: true,
  },
} as const satisfies Record<string, FacetSpec>;

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

/** Classes that no entity has, since runs are stored separately. */
const runClasses = [3, 5];

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
