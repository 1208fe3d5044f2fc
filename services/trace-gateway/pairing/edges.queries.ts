import { statement } from "#metadata/postgres/statement.ts";
/**
 * Adds to edges: $1 keys, $2 to $15 what each edge is, $16 to $19 what it gained. Taken in the order of
 * the keys, so that two workers lock the rows that both need in one order.
 */
export const mergeEdges = statement<{ key: Uint8Array; id: number }>("service-edges-merge")`
  WITH input AS (
    SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
      $14::text[], $15::text[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[])
      AS i (key, kind, service_namespace, service_name, service_version, peer_kind, peer_namespace,
        peer_name, peer_version, operation, system, address, database, target, access, calls,
        errors, first_seen, last_seen)
  )
  INSERT INTO service_edge AS e (key, kind, service_namespace, service_name, service_version,
      peer_kind, peer_namespace, peer_name, peer_version, operation, system, address, database,
      target, access, calls, errors, first_seen, last_seen)
    SELECT key, kind, service_namespace, service_name, service_version, peer_kind, peer_namespace,
           peer_name, peer_version, operation, system, address, database, target, access, calls,
           errors, to_timestamp(first_seen / 1000.0), to_timestamp(last_seen / 1000.0)
      FROM input ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    calls = e.calls + excluded.calls,
    errors = e.errors + excluded.errors,
    first_seen = least(e.first_seen, excluded.first_seen),
    last_seen = CASE WHEN excluded.last_seen > e.last_seen + interval '10 seconds'
                     THEN excluded.last_seen ELSE e.last_seen END,
    service_version = CASE WHEN excluded.last_seen >= e.last_seen
      THEN coalesce(excluded.service_version, e.service_version) ELSE e.service_version END,
    peer_version = CASE WHEN excluded.last_seen >= e.last_seen
      THEN coalesce(excluded.peer_version, e.peer_version) ELSE e.peer_version END
  RETURNING key, id`;

/** Adds to minutes of edges: $1 ids, $2 minutes, $3 calls, $4 errors, $5 and $6 buckets and counts. */
export const mergeWindows = statement("service-windows-merge")`
  INSERT INTO service_edge_window AS w (edge_id, at, calls, errors, buckets, counts)
    SELECT i.edge_id, to_timestamp(i.at / 1000.0), i.calls, i.errors, i.buckets::smallint[],
           i.counts::bigint[]
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
           AS i (edge_id, at, calls, errors, buckets, counts)
     ORDER BY i.edge_id, i.at
  ON CONFLICT (edge_id, at) DO UPDATE SET
    calls = w.calls + excluded.calls,
    errors = w.errors + excluded.errors,
    (buckets, counts) = (
      SELECT array_agg(s.bucket ORDER BY s.bucket), array_agg(s.count ORDER BY s.bucket)
        FROM (
          SELECT b.bucket, sum(b.count)::bigint AS count
            FROM (
              SELECT unnest(w.buckets) AS bucket, unnest(w.counts) AS count
              UNION ALL
              SELECT unnest(excluded.buckets), unnest(excluded.counts)
            ) b
           GROUP BY b.bucket
        ) s
    )`;
