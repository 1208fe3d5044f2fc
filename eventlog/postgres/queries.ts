import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** A partition that a member owns. */
export interface Claim {
  partition: number;
  /** Offset of the first record that is not done. */
  committed: number;
  /** Offset that the next record will get. */
  end: number;
  /** False when another member waits for the partition. */
  wanted: boolean;
}

export const ensureTopic = `
  INSERT INTO log_topic (name, partitions, max_record_bytes, retention_ms) VALUES ($1, $2, $3, $4)
  ON CONFLICT (name) DO UPDATE
    SET max_record_bytes = excluded.max_record_bytes, retention_ms = excluded.retention_ms
    WHERE (log_topic.max_record_bytes, log_topic.retention_ms)
      IS DISTINCT FROM (excluded.max_record_bytes, excluded.retention_ms)`;

export const ensurePartitions = `
  INSERT INTO log_partition (topic, partition)
  SELECT t.name, p FROM log_topic t, generate_series(0, t.partitions - 1) p WHERE t.name = $1
  ON CONFLICT DO NOTHING`;

export const topicInfo = "SELECT partitions, max_record_bytes FROM log_topic WHERE name = $1";

/** This and other functions are in `metadata/schema/functions/event-log.sql`. */
export const append = statement<{ partition: number; first_offset: number }>("log_append")`
  SELECT partition, first_offset FROM log_append($1, $2, $3, $4, $5)`;

/**
 * From offset $3, below $4, at most $5 records and $6 bytes; the first record whatever its size. Values of the offsets $7
 * are left out, all if it is null.
 */
export const fetch = `
  SELECT "offset", logged_at, envelope, octet_length(value) AS size,
         CASE WHEN $7::bigint[] IS NULL OR "offset" = ANY($7) THEN NULL ELSE value END AS value
  FROM (
    SELECT "offset", (extract(epoch FROM logged_at) * 1000)::bigint AS logged_at,
           envelope::text AS envelope, value,
           sum(octet_length(value)) OVER (ORDER BY "offset") AS bytes
    FROM log_record
    WHERE topic = $1 AND partition = $2 AND "offset" >= $3 AND "offset" < $4
    ORDER BY "offset" LIMIT $5
  ) records
  WHERE bytes = octet_length(value) OR bytes <= $6
  ORDER BY "offset"`;

export const bounds = `
  SELECT partition, start_offset AS start, next_offset AS "end"
  FROM log_partition WHERE topic = $1 ORDER BY partition`;

export const truncate = `
  WITH emptied AS (
    UPDATE log_partition SET start_offset = next_offset WHERE topic = $1
    RETURNING partition, next_offset
  )
  DELETE FROM log_record r USING emptied e
   WHERE r.topic = $1 AND r.partition = e.partition AND r."offset" < e.next_offset`;

export const lag = `
  SELECT p.partition, coalesce(c.committed, p.start_offset) AS committed, p.next_offset AS "end",
         p.next_offset - greatest(p.start_offset, coalesce(c.committed, 0)) AS lag
  FROM log_partition p
  LEFT JOIN log_claim c ON (c.topic, c.partition, c.group_name) = (p.topic, p.partition, $1)
  WHERE p.topic = $2 ORDER BY p.partition`;

export const join = "SELECT log_join($1, $2, $3, $4, $5)";
export const heartbeat = statement<{ claims: Claim[] | null }>("log_heartbeat")`
  SELECT log_heartbeat($1, $2, $3, $4) AS claims`;
export const commit = statement<{ done: boolean }>("log_commit")`
  SELECT log_commit($1, $2, $3, $4, $5) AS done`;
export const release = "SELECT log_release($1, $2, $3, $4)";
export const leave = "SELECT log_leave($1, $2, $3)";

export const partitionsWithRetention = `
  SELECT p.topic, p.partition, t.retention_ms FROM log_partition p JOIN log_topic t ON t.name = p.topic
  ORDER BY p.topic, p.partition`;

/** Deletes up to $4 records of one partition that were logged before $3 (milliseconds). */
export const trimBatch = `
  WITH batch AS (
    SELECT "offset", logged_at FROM log_record WHERE topic = $1 AND partition = $2
    ORDER BY "offset" LIMIT $4
  ), old AS (
    SELECT "offset" FROM batch WHERE logged_at < to_timestamp($3::double precision / 1000)
  ), gone AS (
    DELETE FROM log_record r USING old
    WHERE r.topic = $1 AND r.partition = $2 AND r."offset" = old."offset"
  )
  UPDATE log_partition SET start_offset = (SELECT max("offset") + 1 FROM old)
  WHERE topic = $1 AND partition = $2 AND EXISTS (SELECT 1 FROM old)
  RETURNING (SELECT count(*) FROM old) AS deleted`;

/** The database that records handled dead letters: the metadata store, whichever log is used. */
export type NotesDatabase = Database;

const handledAmong = `
  SELECT "offset" FROM dead_letter_handled
  WHERE partition = $1 AND "offset" = ANY ($2::bigint[])`;

const noteHandled = `
  INSERT INTO dead_letter_handled (partition, "offset", action)
  SELECT p, o, $3 FROM unnest($1::integer[], $2::bigint[]) AS u (p, o)
  ON CONFLICT DO NOTHING`;

const forgetNotes =
  "DELETE FROM dead_letter_handled WHERE handled_at < to_timestamp($1::float8 / 1000)";

/** Which of these offsets were replayed or dropped. */
export async function handledOf(
  db: NotesDatabase,
  partition: number,
  offsets: number[],
): Promise<Set<number>> {
  const rows = await db.query<{ offset: number }>(handledAmong, [partition, offsets]);
  return new Set(rows.map((row) => row.offset));
}

/** Records how dead letters were handled; repeating it changes nothing. */
export async function markHandled(
  db: NotesDatabase,
  positions: { partition: number; offset: number }[],
  action: "replayed" | "dropped",
): Promise<void> {
  const partitions = positions.map((p) => p.partition);
  await db.query(noteHandled, [partitions, positions.map((p) => p.offset), action]);
}

/**
 * Deletes notes older than `before`, milliseconds since the epoch. Called by housekeeping; a note must
 * outlive its letter, so `before` must be older than the retention of dead letters.
 */
export async function forgetHandled(db: NotesDatabase, before: number): Promise<void> {
  await db.query(forgetNotes, [before]);
}
