import { statement } from "#metadata/postgres/statement.ts";
import type { NodeRow } from "#services/api/features/lineage/answer.ts";
import {
  entitySql,
  groupsAbove,
  nodeSql,
  nodeText,
} from "#services/api/features/lineage/queries.ts";

/** What is known of a root as of a time; times are ISO 8601 texts. */
export interface PastRoot {
  /** The earliest time for which the history is complete; null when nothing was purged. */
  begins: string | null;
  /** Null for an id that was never given, or that was forgotten. */
  created_at: string | null;
  /** Set when the entity is there no more. */
  purged_at: string | null;
  /** Since when it was deleted at the time; null when it was not. */
  deleted_since: string | null;
  /** An edge that stood at the time touches it. */
  touched: boolean;
  /** Members of today, nested ones included, that were not deleted at the time. */
  members: number[];
}

/** $1 id, $2 the time. Always one row. */
export const rootAt = statement<PastRoot>("lineage_root_at")`
WITH RECURSIVE member(id) AS (
  SELECT m.member_id FROM group_member m WHERE m.group_id = $1
  UNION
  SELECT m.member_id FROM member g, entities_undeleted_at(ARRAY[g.id], $2), group_member m
   WHERE m.group_id = g.id
), known AS (
  SELECT created_at, NULL::timestamptz AS purged_at FROM data_entity WHERE id = $1
  UNION ALL
  SELECT min(created_at), max(purged_at) FROM entity_tombstone
   WHERE entity_id = $1 AND NOT EXISTS (SELECT FROM data_entity WHERE id = $1)
  HAVING count(*) > 0
)
SELECT CASE WHEN isfinite(b.at) THEN iso(b.at) END AS begins,
       iso(k.created_at) AS created_at, iso(k.purged_at) AS purged_at,
       (SELECT iso(min(d.since)) FROM entity_deletion d
         WHERE d.entity_id = $1 AND d.since <= $2 AND (d.until IS NULL OR d.until > $2)
       ) AS deleted_since,
       EXISTS (SELECT FROM lineage_touching_at(ARRAY[$1::bigint], true, $2))
         OR EXISTS (SELECT FROM lineage_touching_at(ARRAY[$1::bigint], false, $2)) AS touched,
       ARRAY(SELECT m FROM entities_undeleted_at(ARRAY(SELECT id FROM member), $2) m
              ORDER BY m)::bigint[] AS members
  FROM lineage_history_begin b LEFT JOIN known k ON true`;

/**
 * $1 reached ids, $2 stale period in days, $3 the time. As \`nodesOf\`, with those that are deleted now, and those purged
 * since as they were called then. One that is known by its CATRN alone since it was purged counts as purged.
 */
export const nodesAt = statement<NodeRow>("lineage_nodes_at")`
${groupsAbove}, reached AS MATERIALIZED (
  SELECT DISTINCT unnest($1::bigint[]) AS id
), grave AS MATERIALIZED (
  SELECT DISTINCT ON (t.entity_id) t.*
    FROM entity_tombstone t JOIN reached r ON r.id = t.entity_id
   WHERE t.purged_at > $3::timestamptz
   ORDER BY t.entity_id, t.purged_at
), entity AS MATERIALIZED (
  SELECT e.id, e.catrn, e.external_name, e.internal_name, e.class_ids, e.type_id, e.hollow,
         e.data_source_id, e.status, e.status_switch_at, e.last_ingested_at, false AS purged
    FROM above JOIN data_entity e USING (id) LEFT JOIN reached r USING (id)
    LEFT JOIN grave g ON g.entity_id = e.id
   WHERE (is_live(e.status) OR r.id IS NOT NULL) AND NOT (e.hollow AND g.entity_id IS NOT NULL)
  UNION ALL
  SELECT g.entity_id, g.catrn, g.external_name, g.internal_name, g.class_ids, g.type_id,
         g.type_id IS NULL, s.id, coalesce(e.status, 5::smallint), NULL, NULL, true
    FROM grave g LEFT JOIN data_entity e ON e.id = g.entity_id
    LEFT JOIN data_source s ON s.catrn = g.source_catrn
   WHERE e.id IS NULL OR e.hollow
), ${entitySql}
SELECT e.id, e.hollow, d.groups,
       is_live(e.status) AND EXISTS (SELECT FROM group_member m WHERE m.group_id = e.id) AS is_group,
       ${nodeText}
         || CASE WHEN e.purged THEN ',"purged":true' ELSE '' END
         || coalesce(',"deleted_since":"' || CASE WHEN NOT e.purged AND NOT is_live(e.status) THEN
              (SELECT iso(max(x.since)) FROM entity_deletion x
                WHERE x.entity_id = e.id AND x.until IS NULL) END || '"', '') AS json
  ${nodeSql}`;

/** $1 group id, $2 the time. Members of today, nested ones included, that were not deleted at the time. */
export const groupMembersAt = statement<{ id: number; is_group: boolean; has_edges: boolean }>(
  "lineage_group_members_at",
)`
WITH RECURSIVE member(id) AS (
  SELECT m.member_id FROM group_member m WHERE m.group_id = $1
  UNION
  SELECT m.member_id FROM member g, entities_undeleted_at(ARRAY[g.id], $2), group_member m
   WHERE m.group_id = g.id
), there AS (
  SELECT m AS id, EXISTS (SELECT FROM group_member x WHERE x.group_id = m) AS is_group
    FROM entities_undeleted_at(ARRAY(SELECT id FROM member WHERE id <> $1), $2) m
)
SELECT t.id, t.is_group,
       t.is_group AND (EXISTS (SELECT FROM lineage_touching_at(ARRAY[t.id], true, $2))
         OR EXISTS (SELECT FROM lineage_touching_at(ARRAY[t.id], false, $2))) AS has_edges
  FROM there t JOIN data_entity e ON e.id = t.id
 WHERE e.created_at <= $2
    OR EXISTS (SELECT FROM lineage_touching_at(ARRAY[t.id], true, $2))
    OR EXISTS (SELECT FROM lineage_touching_at(ARRAY[t.id], false, $2))
 ORDER BY t.id`;
