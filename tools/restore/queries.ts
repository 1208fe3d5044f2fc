/** $1 prefix: batches that are named by a position of the former log, which positions of the restored one would repeat. */
export const renamePositions = `
  UPDATE applied_batch SET batch = $1 || batch WHERE batch ~ '^[a-z.-]{1,60}/[0-9]{1,15}/[0-9]{1,15}$'`;

/** Keys $1 of pieces whose files were deleted while the backup was written. */
export const dropDeletedFiles = `
  WITH files AS (SELECT DISTINCT file_id AS id FROM attachment_piece WHERE key = ANY ($1::uuid[])),
       pieces AS (
         UPDATE attachment_piece p SET file_id = NULL, spared_until = now() FROM files f
          WHERE p.file_id = f.id RETURNING p.file_id)
  SELECT array_agg(id) AS ids FROM files`;
export const dropFiles = "DELETE FROM attachment_file WHERE id = ANY ($1::bigint[])";

export const checkpoints = `
  SELECT partition, next_offset, replay_offset, positions FROM span_checkpoint ORDER BY partition`;

/** $1 partition, $2 next offset, $3 replay offset, $4 positions, $5 how many facts wait in vain. */
export const moveCheckpoint = `
  UPDATE span_checkpoint
     SET next_offset = $2, replay_offset = $3, positions = $4,
         waiting = waiting - $5, expired = expired + $5
   WHERE partition = $1`;

/** $1 days: gives the events of the activity feed their partitions of so many days. */
export const activityPartitions = `
  SELECT activity_partition(at, $1) FROM (
    SELECT DISTINCT to_timestamp(floor(extract(epoch FROM created_at) / ($1 * 86400)) * $1 * 86400) AS at
      FROM activity_other) periods`;
