import { entityClasses, entityStatuses } from "#contract/entities.ts";
import type { FacetSpec } from "#services/api/search/family.ts";

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

export type Gap = (typeof gaps)[number]["name"];

/** SQL of whether the entity `e` lacks it. */
export function gapCondition(gap: Gap): string {
  return gaps.find(({ name }) => name === gap)!.holds;
}

/** The facets of entity search in the order of the screen, and the SQL of each; `contract/names` has their texts. */
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
