import { statement } from "#metadata/postgres/statement.ts";

/** $1 entities without tags, $2 tags as posted, which may be one tag in two spellings. */
export const insert = statement("ingest-insert-entity-tags")`
  INSERT INTO entity_tag (entity_id, tag_id, origin)
  SELECT entity_id, tag_id, 'EXTERNAL' FROM unnest($1::bigint[], $2::bigint[]) AS w (entity_id, tag_id)
  ON CONFLICT DO NOTHING`;

/** $1 entities with earlier rows, $2 entities and $3 tags as posted. Tags that users added stay. */
export const replace = statement("ingest-replace-entity-tags")`
  WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS w (entity_id, tag_id)),
   gone AS (
     DELETE FROM entity_tag x WHERE x.entity_id = ANY($1::bigint[]) AND x.origin = 'EXTERNAL'
       AND NOT EXISTS (
         SELECT FROM wanted w WHERE w.entity_id = x.entity_id AND w.tag_id = x.tag_id))
   INSERT INTO entity_tag (entity_id, tag_id, origin)
   SELECT entity_id, tag_id, 'EXTERNAL' FROM wanted
   ON CONFLICT DO NOTHING`;
