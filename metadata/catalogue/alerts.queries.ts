import { statement } from "#metadata/postgres/statement.ts";
/**
 * $1 time, $2 entities, $3 messengers, $4 types, $5 statuses, $6 times of raising, $7 fingerprints,
 * $8 data sources; $9 positions (from 1) of the alerts that the chunk times $10 and chunk texts $11
 * belong to. Returns an id for each alert, null when an OPEN one has the same key (indexes
 * `alert_open_key` and `alert_open_source`).
 */
export const create = statement<{ id: number | null }>("create-alerts")`
  WITH posted AS MATERIALIZED (
    SELECT nextval('alert_id_seq') AS id, t.*
      FROM unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::smallint[],
             $6::text[], $7::text[], $8::bigint[], $9::text[])
        WITH ORDINALITY AS t (entity_id, messenger_id, type, status, raised, fingerprint,
          data_source_id, starts, place)),
  made AS (
    INSERT INTO alert (id, entity_id, messenger_id, type, status, status_updated_at, created_at,
      last_created_at, fingerprint, data_source_id, starts_at) OVERRIDING SYSTEM VALUE
    SELECT id, entity_id, messenger_id, type, status,
           CASE WHEN status <> 1 THEN $1::timestamptz END, raised::timestamptz, raised::timestamptz,
           fingerprint, data_source_id, starts::timestamptz
      FROM posted ORDER BY place
    ON CONFLICT DO NOTHING
    RETURNING id),
  said AS (
    INSERT INTO alert_chunk (alert_id, created_at, description)
    SELECT m.id, c.at::timestamptz, c.description
      FROM unnest($10::bigint[], $11::text[], $12::text[])
        WITH ORDINALITY AS c (place, at, description, ordinal)
      JOIN posted p ON p.place = c.place JOIN made m ON m.id = p.id
     ORDER BY c.ordinal)
  SELECT m.id FROM posted p LEFT JOIN made m ON m.id = p.id ORDER BY p.place`;

/**
 * $1 time, $2 alerts, $3 since when they fire (null: as before), $4 how many of their earlier chunks to
 * keep; $5 alerts to which the new chunks with times $6 and texts $7 belong.
 */
export const stack = statement("stack-alerts")`
  WITH grown AS (
    UPDATE alert a SET last_created_at = greatest(a.last_created_at, $1::timestamptz),
           starts_at = coalesce(n.starts::timestamptz, a.starts_at)
      FROM unnest($2::bigint[], $3::text[]) AS n (id, starts) WHERE a.id = n.id),
  trimmed AS (
    DELETE FROM alert_chunk WHERE id IN (
      SELECT c.id FROM unnest($2::bigint[]) AS a (id) CROSS JOIN LATERAL (
        SELECT x.id FROM alert_chunk x WHERE x.alert_id = a.id
         ORDER BY x.created_at DESC, x.id DESC OFFSET $4) c))
  INSERT INTO alert_chunk (alert_id, created_at, description)
  SELECT c.alert_id, c.at::timestamptz, c.description
    FROM unnest($5::bigint[], $6::text[], $7::text[])
      WITH ORDINALITY AS c (alert_id, at, description, ordinal)
   ORDER BY c.ordinal`;

/** $1 time, $2 OPEN alerts. */
export const resolve = statement("resolve-alerts")`
  UPDATE alert SET status = 3, status_updated_by = NULL, status_updated_at = $1::timestamptz
   WHERE id = ANY($2::bigint[])`;
