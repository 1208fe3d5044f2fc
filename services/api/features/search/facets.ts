import { entityStatuses } from "#contract/entities.ts";

interface FacetSpec {
  /** Condition on `data_entity e` that it has one of the ids in the parameter `ids`. */
  holds: (ids: string) => string;
  /** Rows `(value)` of the ids that one entity `e` has in this facet, each once. */
  values: string;
  /** Rows `(id, name)` of everything that can be chosen. */
  names: string;
  /** The ids are codes of two bytes. */
  small?: boolean;
}

const namespaceOf = `
  coalesce(e.namespace_id, (SELECT s.namespace_id FROM data_source s WHERE s.id = e.data_source_id))`;

/** What searches can be narrowed by, and how each is asked of PostgreSQL. */
export const facets = {
  entity_classes: {
    holds: (ids) => `e.class_ids && ${ids}::smallint[]`,
    values: "SELECT unnest(e.class_ids)::bigint AS value",
    names: "SELECT id::bigint, name FROM entity_class",
    small: true,
  },
  types: {
    holds: (ids) => `e.type_id = ANY(${ids}::smallint[])`,
    values: "SELECT e.type_id::bigint AS value",
    names: "SELECT id::bigint, name FROM entity_type",
    small: true,
  },
  statuses: {
    holds: (ids) => `e.status = ANY(${ids}::smallint[])`,
    values: "SELECT e.status::bigint AS value",
    names: "SELECT n::bigint AS id, status_name(n::smallint) AS name FROM generate_series(1, 5) n",
    small: true,
  },
  tags: {
    holds: (ids) =>
      `e.id IN (SELECT x.entity_id FROM entity_tag x WHERE x.tag_id = ANY(${ids}::bigint[]))`,
    values: "SELECT DISTINCT x.tag_id AS value FROM entity_tag x WHERE x.entity_id = e.id",
    names: "SELECT id, name FROM tag",
  },
  namespaces: {
    holds: (ids) => `${namespaceOf} = ANY(${ids}::bigint[])`,
    values: `SELECT ${namespaceOf} AS value`,
    names: "SELECT id, name FROM namespace",
  },
  datasources: {
    holds: (ids) => `e.data_source_id = ANY(${ids}::bigint[])`,
    values: "SELECT e.data_source_id AS value",
    names: "SELECT id, name FROM data_source",
  },
  owners: {
    holds: (ids) =>
      `e.id IN (SELECT x.entity_id FROM ownership x WHERE x.owner_id = ANY(${ids}::bigint[]))`,
    values: "SELECT x.owner_id AS value FROM ownership x WHERE x.entity_id = e.id",
    names: "SELECT id, name FROM owner",
  },
  groups: {
    holds: (ids) =>
      `e.id IN (SELECT x.member_id FROM group_member x WHERE x.group_id = ANY(${ids}::bigint[]))`,
    values: "SELECT DISTINCT x.group_id AS value FROM group_member x WHERE x.member_id = e.id",
    names: `SELECT id, coalesce(internal_name, external_name) AS name FROM data_entity
             WHERE NOT hollow AND status <> ${entityStatuses.DELETED}`,
  },
} as const satisfies Record<string, FacetSpec>;

export type Facet = keyof typeof facets;
export const facetNames = Object.keys(facets) as [Facet, ...Facet[]];

/** The ids as the facet's column can hold them; a code that is too large becomes one that none has. */
export function fitting(facet: Facet, ids: number[]): number[] {
  const spec: FacetSpec = facets[facet];
  return spec.small ? ids.map((id) => Math.min(id, 32_767)) : ids;
}
