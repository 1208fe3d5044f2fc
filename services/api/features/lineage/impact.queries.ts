import { statement } from "#metadata/postgres/statement.ts";

/** A DataEntityType, or null for an entity whose type is not known. */
type TypeJson = { id: number; name: string } | null;

/** $1 ids. One row: what the visible ones of these entities are, whose they are, and how many have open alerts. */
export const impactCounts = statement<{
  total: number;
  types: { type: TypeJson; total: number }[];
  owners: { id: number; name: string; total: number }[];
  unowned: number;
  open_alerts: number;
  with_open_alerts: number;
}>("lineage-impact-counts")`
WITH reached AS MATERIALIZED (
  SELECT e.id, e.type_id FROM data_entity e WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status)
)
SELECT (SELECT count(*) FROM reached) AS total,
       coalesce((SELECT json_agg(json_build_object('type', json_type(t.type_id), 'total', t.total)
                                 ORDER BY t.total DESC, t.type_id)
                   FROM (SELECT type_id, count(*) AS total FROM reached GROUP BY type_id) t), '[]') AS types,
       coalesce((SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'total', c.total)
                                 ORDER BY c.total DESC, o.name)
                   FROM (SELECT s.owner_id, count(*) AS total
                           FROM reached r JOIN ownership s ON s.entity_id = r.id GROUP BY s.owner_id) c
                   JOIN owner o ON o.id = c.owner_id), '[]') AS owners,
       (SELECT count(*) FROM reached r
         WHERE NOT EXISTS (SELECT FROM ownership s WHERE s.entity_id = r.id)) AS unowned,
       (SELECT count(*) FROM alert a JOIN reached r ON r.id = a.entity_id WHERE a.status = 1) AS open_alerts,
       (SELECT count(*) FROM reached r
         WHERE EXISTS (SELECT FROM alert a WHERE a.entity_id = r.id AND a.status = 1)) AS with_open_alerts`;

/** $1 ids. Those of the visible ones that only consume data, such as dashboards, by name. */
export const consumersAmong = statement<{ id: number; name: string; type: TypeJson }>(
  "lineage-impact-consumers",
)`
SELECT e.id, coalesce(e.internal_name, e.external_name, e.catrn) AS name, json_type(e.type_id) AS type
  FROM data_entity e
 WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status)
   AND (SELECT id FROM entity_class WHERE name = 'DATA_CONSUMER') = ANY (e.class_ids)
 ORDER BY 2, 1`;
