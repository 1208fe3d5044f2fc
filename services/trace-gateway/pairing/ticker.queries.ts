/** Partitions in which spans wait and nothing was counted for $1 milliseconds. */
export const quietPartitions = `
  SELECT partition, next_offset FROM span_checkpoint
   WHERE waiting > 0 AND changed_at < now() - $1 * interval '1 millisecond'
   ORDER BY partition`;

/** Where each partition stands. */
export const offsets = "SELECT partition, next_offset FROM span_checkpoint";
