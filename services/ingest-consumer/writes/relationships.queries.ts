import { statement } from "#metadata/postgres/statement.ts";

/** $1 entities that have rows of an earlier payload and are no longer relationships. */
export const drop = statement(
  "ingest-drop-relationships",
)`DELETE FROM relationship WHERE entity_id = ANY($1::bigint[])`;

/** One array per column. Also deletes the rows' field pairs, which `pairs` inserts again. */
export const upsert = statement("ingest-upsert-relationships")`
  WITH gone AS (
     DELETE FROM relationship_field_pair p USING relationship r
      WHERE r.id = p.relationship_id AND r.entity_id = ANY($1::bigint[]))
   INSERT INTO relationship AS r (entity_id, kind, source_id, target_id, is_identifying, cardinality,
     is_directed, attributes)
   SELECT entity_id, kind, source_id, target_id, is_identifying, cardinality, is_directed,
          attributes::jsonb
     FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[], $6::text[],
         $7::boolean[], $8::text[])
       AS t (entity_id, kind, source_id, target_id, is_identifying, cardinality, is_directed, attributes)
   ON CONFLICT (entity_id) DO UPDATE SET
     kind = excluded.kind, source_id = excluded.source_id, target_id = excluded.target_id,
     is_identifying = excluded.is_identifying, cardinality = excluded.cardinality,
     is_directed = excluded.is_directed, attributes = excluded.attributes`;

/** $1 entities of relationships, $2 ordinals, $3 source and $4 target CATRNs of fields. */
export const pairs = statement("ingest-insert-field-pairs")`
  INSERT INTO relationship_field_pair (relationship_id, ordinal, source_catrn, target_catrn)
   SELECT r.id, t.ordinal, t.source_catrn, t.target_catrn
     FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::text[])
       AS t (entity_id, ordinal, source_catrn, target_catrn)
     JOIN relationship r ON r.entity_id = t.entity_id`;
