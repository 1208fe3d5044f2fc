import { statement } from "#metadata/postgres/statement.ts";

/**
 * $1 connection, $2 CATRNs, $3 milliseconds: hashes of what was published, as hexadecimal text. Empty where the catalogue
 * does not have it and it was published before $3: somebody deleted it, and the source still has it.
 */
export const published = statement<{ catrn: string; hash: string }>("collector-published")`
  SELECT i.catrn, CASE WHEN i.published_at >= $3 OR NOT e.hollow AND is_live(e.status)
                            OR EXISTS (SELECT FROM task_run r WHERE r.catrn = i.catrn)
                       THEN encode(i.hash, 'hex') ELSE '' END AS hash
    FROM connection_item i LEFT JOIN data_entity e ON e.catrn = i.catrn
   WHERE i.connection_id = $1 AND i.catrn = ANY ($2::text[])`;

/** $1 CATRNs of jobs: those that OpenLineage events reported by more than a name. */
export const reportedByEvents = statement<{ key: string }>("collector-reported-by-events")`
  SELECT key FROM ol_job WHERE key = ANY ($1::text[]) AND last_seen IS NOT NULL`;

const retainUntil = (days: string, now: string) =>
  `CASE WHEN ${days} > 0 THEN ${now}::timestamptz + ${days} * interval '1 day' END`;

/**
 * $1 connection, $2 CATRNs, $3 hashes in hexadecimal, $4 run, $5 milliseconds, $6 days to retain each, $7 now, $8 shapes in
 * hexadecimal: they are in the log.
 */
export const remember = statement("collector-remember")`
  INSERT INTO connection_item (connection_id, catrn, hash, run_id, published_at, retain_until, shape, added_run_id)
  SELECT $1, catrn, decode(hash, 'hex'), $4, $5, ${
  retainUntil("days", "$7")
}, decode(shape, 'hex'), $4
    FROM unnest($2::text[], $3::text[], $6::integer[], $8::text[]) AS i (catrn, hash, days, shape)
   ORDER BY catrn
  ON CONFLICT (connection_id, catrn) DO UPDATE
    SET hash = excluded.hash, run_id = excluded.run_id, published_at = excluded.published_at,
        retain_until = excluded.retain_until, shape = excluded.shape`;

/** $1 connection, $2 CATRNs, $3 run, $4 days to retain each, $5 now, $6 shapes: they are still there, as they were. */
export const seen = statement("collector-seen")`
  UPDATE connection_item i SET run_id = $3, retain_until = ${retainUntil("s.days", "$5")},
         shape = decode(s.shape, 'hex')
    FROM unnest($2::text[], $4::integer[], $6::text[]) AS s (catrn, days, shape)
   WHERE i.connection_id = $1 AND i.catrn = s.catrn AND i.run_id <> $3`;

/**
 * $1 data source, $2 CATRNs, $3 now: they count as ingested today, as if a batch had said again what it said. Rows that
 * were written within the last hours are left alone.
 */
export const touch = statement("collector-touch")`
  UPDATE data_entity e SET last_ingested_at = $3
    FROM data_source s
   WHERE s.catrn = $1 AND e.data_source_id = s.id AND e.catrn = ANY ($2::text[])
     AND e.last_ingested_at < $3::timestamptz - interval '6 hours'`;

interface GoneItem {
  catrn: string;
  /** The entity, where it is live, of this source, and as it was last published; null otherwise. */
  id: number | null;
}

/**
 * $1 connection, $2 run, $3 data source, $4 limit, $5 milliseconds: what a complete run did not see. One whose last batch is
 * not applied yet waits for the next run, or that batch would restore it; after $5 it is no longer waited for.
 */
export const gone = statement<GoneItem>("collector-gone")`
  SELECT i.catrn, CASE WHEN s.id IS NOT NULL THEN e.id END AS id
    FROM connection_item i
    LEFT JOIN data_entity e ON e.catrn = i.catrn AND NOT e.hollow AND is_live(e.status)
    LEFT JOIN data_source s ON s.id = e.data_source_id AND s.catrn = $3
   WHERE i.connection_id = $1 AND i.run_id <> $2 AND (
           (extract(epoch FROM e.received_at) * 1000)::bigint >= i.published_at OR i.published_at < $5)
     AND (i.retain_until IS NULL OR i.retain_until < now())
   ORDER BY i.catrn LIMIT $4`;

/**
 * $1 connection, $2 run, $3 data source, $4 limit: forgets what a complete run did not see, and returns which of it is a live
 * entity of this source.
 */
export const release = statement<{ catrn: string; isLive: boolean }>("collector-release")`
  WITH released AS (
    DELETE FROM connection_item WHERE connection_id = $1 AND catrn IN (
      SELECT catrn FROM connection_item
       WHERE connection_id = $1 AND run_id <> $2 AND (retain_until IS NULL OR retain_until < now())
       ORDER BY catrn LIMIT $4)
    RETURNING catrn)
  SELECT r.catrn, s.id IS NOT NULL AS "isLive"
    FROM released r
    LEFT JOIN data_entity e ON e.catrn = r.catrn AND NOT e.hollow AND is_live(e.status)
    LEFT JOIN data_source s ON s.id = e.data_source_id AND s.catrn = $3
   ORDER BY r.catrn`;

/** $1 connection, $2 run: what the last run before it that read everything selected. */
export const lastSelection = statement<{ selection: string }>("collector-last-selection")`
  SELECT result ->> 'selection' AS selection FROM connection_run
   WHERE connection_id = $1 AND id < $2 AND kind = 'RUN' AND result ->> 'selection' IS NOT NULL
   ORDER BY id DESC LIMIT 1`;

/** $1 connection, $2 CATRNs. */
export const forget = statement("collector-forget")`
  DELETE FROM connection_item WHERE connection_id = $1 AND catrn = ANY ($2::text[])`;

interface BatchOutcome {
  batch: string;
  /** Why something of it was refused; null when nothing was. */
  message: string | null;
  refused: number;
}

/** $1 batches: those that are applied. */
export const outcomes = statement<BatchOutcome>("collector-outcomes")`
  SELECT batch, (count(*) FILTER (WHERE outcome = 'refused')
                 + coalesce(sum((detail ->> 'left_out')::int), 0))::int AS refused,
         coalesce(max(detail ->> 'message'), max(detail #>> '{details,0,message}')) AS message
    FROM applied_batch WHERE batch = ANY ($1::text[]) GROUP BY batch`;

/** $1 connection, $2 times of batches of which something was refused: their assets are published again by the next run. */
export const sendAgain = statement("collector-send-again")`
  UPDATE connection_item SET hash = '' WHERE connection_id = $1 AND published_at = ANY ($2::bigint[])`;
