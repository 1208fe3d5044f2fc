import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 entities with earlier rows, $2 most owners of one; $3 entities, $4 owners, $5 titles and $6 positions as reported, each owner
 * of an entity once. What people gave stays, and takes its room first; the entities are locked.
 */
export const replace = statement("ingest-replace-owners")`
  WITH reported AS (
     SELECT w.*, row_number() OVER (PARTITION BY entity_id ORDER BY place) AS nth
       FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
            AS w (entity_id, owner_id, title_id, place)
      WHERE NOT EXISTS (
        SELECT FROM ownership o
         WHERE o.entity_id = w.entity_id AND o.owner_id = w.owner_id AND NOT o.external)),
   given AS (
     SELECT entity_id, count(*) AS owners FROM ownership
      WHERE entity_id = ANY($1::bigint[]) AND NOT external GROUP BY entity_id),
   wanted AS MATERIALIZED (
     SELECT t.entity_id, t.owner_id, t.title_id, t.place
       FROM reported t LEFT JOIN given g ON g.entity_id = t.entity_id
      WHERE t.nth + coalesce(g.owners, 0) <= $2),
   gone AS (
     DELETE FROM ownership o WHERE o.entity_id = ANY($1::bigint[]) AND o.external
       AND NOT EXISTS (
         SELECT FROM wanted w WHERE w.entity_id = o.entity_id AND w.owner_id = o.owner_id))
   INSERT INTO ownership AS o (entity_id, owner_id, title_id, external)
   SELECT entity_id, owner_id, title_id, true FROM wanted ORDER BY entity_id, place
   ON CONFLICT (entity_id, owner_id) DO UPDATE SET title_id = excluded.title_id
     WHERE o.external AND o.title_id IS DISTINCT FROM excluded.title_id`;
