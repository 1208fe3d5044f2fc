import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listJson } from "#services/api/list-json.ts";
import type { NodeRow } from "#services/api/features/lineage/answer.ts";

/** $1 id. One row: whether the entity is visible, and its live members, including nested ones. */
export const rootOf = statement<{ visible: boolean; members: number[] }>("lineage_root")`
WITH RECURSIVE member(id) AS (
  SELECT m.member_id FROM group_member m WHERE m.group_id = $1
  UNION
  SELECT m.member_id FROM member g JOIN group_member m ON m.group_id = g.id
    JOIN data_entity e ON e.id = g.id AND is_live(e.status)
)
SELECT is_live(e.status) AS visible,
       ARRAY(SELECT m.id FROM member m JOIN data_entity x ON x.id = m.id
              WHERE is_live(x.status) ORDER BY m.id)::bigint[] AS members
  FROM data_entity e WHERE e.id = $1`;

/** SQL of the nodes query: reached ids ($1), all live groups above them, and the direct groups of each. */
const groupsAbove = `WITH RECURSIVE above(id) AS (
  SELECT unnest($1::bigint[])
  UNION
  SELECT m.group_id FROM above a JOIN group_member m ON m.member_id = a.id
    JOIN data_entity g ON g.id = m.group_id AND is_live(g.status)
), direct AS (
  SELECT m.member_id AS id, array_agg(DISTINCT m.group_id) AS groups
    FROM above a JOIN group_member m ON m.member_id = a.id
    JOIN data_entity g ON g.id = m.group_id AND is_live(g.status)
   GROUP BY m.member_id
)`;

/** What `entity`, the entities to be shown, is joined with. */
const entitySql = `class_set AS MATERIALIZED (
  SELECT class_ids, json_classes(class_ids)::text AS piece
    FROM (SELECT DISTINCT class_ids FROM entity) sets
), alerted AS MATERIALIZED (
  SELECT DISTINCT entity_id AS id FROM alert
   WHERE status = 1 AND entity_id = ANY (ARRAY(SELECT id FROM entity))
), source AS MATERIALIZED (
  SELECT s.id, json_data_source(s, n)::text AS piece
    FROM data_source s LEFT JOIN namespace n ON n.id = s.namespace_id
   WHERE s.id IN (SELECT data_source_id FROM entity)
)`;

/** A node without its counts and its closing brace; $2 stale period in days. */
const nodeText = `'{"id":' || e.id || ',"catrn":' || to_json(e.catrn)::text
         || ',"external_name":' || coalesce(to_json(e.external_name)::text, 'null')
         || ',"internal_name":' || coalesce(to_json(e.internal_name)::text, 'null')
         || ',"entity_classes":' || c.piece
         || ',"type":' || coalesce(json_type(e.type_id)::text, 'null')
         || ',"has_alerts":' || (a.id IS NOT NULL)
         || ',"data_source":' || coalesce(s.piece, 'null')
         || ',"status":{"status":"' || status_name(e.status) || '","status_switch_time":'
         || coalesce('"' || iso(e.status_switch_at) || '"', 'null') || '}'
         || ',"is_stale":' || is_stale(e.last_ingested_at, $2::int)
         || ',"group_id_list":[' || coalesce(array_to_string(d.groups, ','), '') || ']'`;

const nodeSql = `FROM entity e
  JOIN class_set c ON c.class_ids = e.class_ids
  LEFT JOIN source s ON s.id = e.data_source_id
  LEFT JOIN alerted a ON a.id = e.id
  LEFT JOIN direct d ON d.id = e.id`;

/**
 * $1 reached ids, $2 stale period in days. A row for each visible one and for every live group above
 * one: \`json\` is the node without its counts and its closing brace.
 */
export const nodesOf = statement<NodeRow>("lineage_nodes")`
${groupsAbove}, entity AS MATERIALIZED (
  SELECT e.* FROM data_entity e JOIN above USING (id) WHERE is_live(e.status)
), ${entitySql}
SELECT e.id, e.hollow,
       EXISTS (SELECT FROM group_member m WHERE m.group_id = e.id) AS is_group,
       d.groups,
       ${nodeText} AS json
  ${nodeSql}`;

/**
 * $1 group id. All live members of a live group, including nested ones, whether each is a group, and
 * has edges.
 */
export const groupMembers = statement<{ id: number; is_group: boolean; has_edges: boolean }>(
  "lineage_group_members",
)`
WITH RECURSIVE member(id) AS (
  SELECT m.member_id FROM group_member m JOIN data_entity g ON g.id = m.group_id AND is_live(g.status)
   WHERE m.group_id = $1
  UNION
  SELECT m.member_id FROM member g JOIN group_member m ON m.group_id = g.id
    JOIN data_entity e ON e.id = g.id AND is_live(e.status)
)
SELECT m.id,
       EXISTS (SELECT FROM group_member x WHERE x.group_id = m.id) AS is_group,
       EXISTS (SELECT FROM lineage_edge x WHERE x.parent_id = m.id AND x.live)
         OR EXISTS (SELECT FROM lineage_edge x WHERE x.child_id = m.id AND x.live) AS has_edges
  FROM member m JOIN data_entity e ON e.id = m.id AND is_live(e.status)
 WHERE m.id <> $1
 ORDER BY m.id`;

/**
 * $1 id, $2 whether downstream, $3 text or null, $4 limit, $5 offset, $6 stale period in days. A
 * page of the direct neighbours, by id; no row for an unknown or deleted entity. The text is
 * searched for in names and CATRNs, case-insensitively.
 */
export const neighboursOf = statement<JsonRow>("lineage_neighbours")`
WITH near AS (
  SELECT DISTINCT n.id
    FROM (SELECT far FROM lineage_touching(ARRAY[$1::bigint], $2)) t
    JOIN data_entity n ON n.id = t.far AND is_live(n.status)
   WHERE $3::text IS NULL
      OR strpos(lower(concat_ws(chr(10), n.internal_name, n.external_name, n.catrn)), lower($3)) > 0
), page AS (
  SELECT id FROM near ORDER BY id LIMIT $4 OFFSET $5
)
SELECT ${
  listJson({
    each: "json_entity_ref(n, $6::int)",
    by: "n.id",
    from: "data_entity n JOIN page USING (id)",
    total: "t.total",
    window: ["$4", "$5"],
  })
}::text AS json
  FROM data_entity e CROSS JOIN (SELECT count(*) AS total FROM near) t
 WHERE e.id = $1 AND is_live(e.status)`;

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
