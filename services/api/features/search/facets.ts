import { entityStatuses } from "#contract/entities.ts";
import type { FacetSpec } from "#services/api/search/family.ts";

/** Rows of a link table with origins, without duplicates of a link under another origin. */
const once = (table: string, entity: string, value: string) => `
  JOIN ${table} x ON x.${entity} = e.id AND NOT EXISTS (
    SELECT FROM ${table} y
     WHERE y.${entity} = x.${entity} AND y.${value} = x.${value} AND y.origin < x.origin)`;

/** The facets of entity search, and the SQL of each. */
export const facets = {
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
  tags: {
    holds: (ids) =>
      `e.id IN (SELECT x.entity_id FROM entity_tag x WHERE x.tag_id = ANY(${ids}::bigint[]))`,
    join: once("entity_tag", "entity_id", "tag_id"),
    value: "x.tag_id",
    names: "SELECT id, name FROM tag",
  },
  namespaces: {
    holds: (ids) => `
      e.namespace_id = ANY(${ids}::bigint[]) OR e.namespace_id IS NULL AND e.data_source_id IN (
        SELECT s.id FROM data_source s WHERE s.namespace_id = ANY(${ids}::bigint[]))`,
    join: "LEFT JOIN data_source x ON x.id = e.data_source_id",
    value: "coalesce(e.namespace_id, x.namespace_id)",
    names: "SELECT id, name FROM namespace",
  },
  datasources: {
    holds: (ids) => `e.data_source_id = ANY(${ids}::bigint[])`,
    value: "e.data_source_id",
    names: "SELECT id, name FROM data_source",
  },
  owners: {
    holds: (ids) =>
      `e.id IN (SELECT x.entity_id FROM ownership x WHERE x.owner_id = ANY(${ids}::bigint[]))`,
    join: "JOIN ownership x ON x.entity_id = e.id",
    value: "x.owner_id",
    names: "SELECT id, name FROM owner",
  },
  groups: {
    holds: (ids) =>
      `e.id IN (SELECT x.member_id FROM group_member x WHERE x.group_id = ANY(${ids}::bigint[]))`,
    join: once("group_member", "member_id", "group_id"),
    value: "x.group_id",
    names: `SELECT id, coalesce(internal_name, external_name) AS name FROM data_entity
             WHERE NOT hollow AND status <> ${entityStatuses.DELETED}`,
  },
} as const satisfies Record<string, FacetSpec>;
