/** $1 ids. A hollow entity is named by its CATRN; the namespace is its own, else its source's. */
export const entities = `
  SELECT e.id, e.hollow, NOT is_live(e.status) AS deleted, e.type_id, s.name AS data_source_name,
         n.name AS namespace_name, coalesce(o.owners, '[]') AS owners,
         CASE WHEN e.hollow THEN e.catrn
              ELSE coalesce(e.internal_name, e.external_name, e.catrn) END AS name
    FROM data_entity e
    LEFT JOIN data_source s ON s.id = e.data_source_id
    LEFT JOIN namespace n ON n.id = coalesce(e.namespace_id, s.namespace_id)
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('owner_name', w.name, 'title_name', t.name)
                      ORDER BY w.name) AS owners
        FROM ownership p
        JOIN owner w ON w.id = p.owner_id
        LEFT JOIN title t ON t.id = p.title_id
       WHERE p.entity_id = e.id) o ON true
   WHERE e.id = ANY ($1::bigint[])`;

/** $1 ids; returns those that are deleted or unknown. */
export const invisible = `
  SELECT i.id FROM unnest($1::bigint[]) AS i (id)
    LEFT JOIN data_entity e ON e.id = i.id
   WHERE e.id IS NULL OR NOT is_live(e.status)`;

/**
 * $1 alerts, $2 most chunks of one, $3 most characters of a chunk, $4 of all chunks of an alert: the newest
 * that there is room for, the newest first.
 */
export const chunks = `
  SELECT a.id AS alert_id, c.created_at, c.description
    FROM unnest($1::bigint[]) AS a (id)
   CROSS JOIN LATERAL (
     SELECT n.*, sum(length(description)) OVER (ORDER BY created_at DESC, id DESC) AS so_far
       FROM (SELECT id, created_at, left(description, $3) AS description
               FROM alert_chunk WHERE alert_id = a.id
              ORDER BY created_at DESC, id DESC LIMIT $2) n) c
   WHERE c.so_far <= $4
   ORDER BY a.id, c.created_at DESC, c.id DESC`;
