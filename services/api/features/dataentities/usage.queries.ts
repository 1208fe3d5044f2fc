import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";

// An entity counts as filled when a user added something to it: a name, a description, a tag, an
// owner, a metadata value. Manually created groups always count. One scan counts everything.
const usage = statement<JsonRow>("entity-usage")`
  WITH filled AS (
    SELECT entity_id FROM entity_tag WHERE origin = 'INTERNAL'
    UNION SELECT entity_id FROM ownership WHERE NOT external
    UNION SELECT v.entity_id FROM metadata_value v JOIN metadata_field f ON f.id = v.field_id
           WHERE f.origin = 'INTERNAL'
  ), counted AS (
    SELECT e.class_ids, e.type_id, count(*) AS total,
           count(*) FILTER (WHERE e.internal_name IS NULL AND e.internal_description IS NULL
             AND NOT e.manually_created AND f.entity_id IS NULL) AS unfilled
      FROM data_entity e LEFT JOIN filled f ON f.entity_id = e.id
     WHERE NOT e.hollow AND NOT e.excluded_from_search AND is_live(e.status)
     GROUP BY e.class_ids, e.type_id
  ), by_class AS (
    SELECT class_id, sum(total)::bigint AS total
      FROM counted, unnest(class_ids) AS class_id GROUP BY class_id
  ), by_type AS (
    SELECT class_id, type_id, sum(total)::bigint AS total FROM (
      SELECT class_id, type_id, total FROM counted, unnest(class_ids) AS class_id
      UNION ALL SELECT class_id, t.id, 0 FROM entity_type t, unnest(t.class_ids) AS class_id) each
     GROUP BY class_id, type_id
  )
  SELECT json_build_object(
    'total_count', (SELECT coalesce(sum(total), 0) FROM counted),
    'unfilled_count', (SELECT coalesce(sum(unfilled), 0) FROM counted),
    'data_entity_classes_info', (SELECT json_agg(json_build_object(
        'entity_class', json_class(c.id), 'total_count', coalesce(n.total, 0),
        'data_entity_types_info', (SELECT json_agg(json_build_object(
            'entity_type', json_type(t.type_id), 'total_count', t.total) ORDER BY t.type_id)
          FROM by_type t WHERE t.class_id = c.id)) ORDER BY c.id)
      FROM entity_class c LEFT JOIN by_class n ON n.class_id = c.id))::text AS json`;

/** DataEntityUsageInfo as JSON text. */
export async function entityUsage(db: Queryable): Promise<string> {
  const [row] = await db.query(usage);
  return row!.json;
}
